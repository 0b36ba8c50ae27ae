import Model

extension MeetingNotes {
    /// Returns the notes as Markdown, for printing. Text of readers is quoted line by line, and all other text is the
    /// server's. So no note can imitate another one, or another part of the page.
    func markdown() -> [UInt8] {
        var text = MarkdownWriter()
        text.add("# ")
        text.add(line: club.name)
        text.add(": ")
        text.add(line: meeting.title ?? "meeting")
        text.add("\n\n\(meeting.startsAt)")
        if let bookTitle {
            text.add(", *")
            text.add(line: bookTitle)
            text.add("*")
        }
        if meeting.progress != nil { text.add(", up to \(Self.place(meeting.progress, meeting.page))") }
        text.add("\n")
        if let agenda = meeting.agenda {
            text.add("\n")
            text.add(quoted: agenda)
        }
        for thread in threads {
            guard let first = thread.notes.first else { continue }
            let place = first.progress == nil ? "On the book" : "At \(Self.place(first.progress, first.page))"
            text.add("\n## \(place)\n")
            for note in thread.notes {
                text.add("\n**")
                text.add(line: note.isNameless ? "Somebody" : names[note.author] ?? "")
                text.add(note.thread == nil ? "**\n\n" : "**, in reply\n\n")
                let quote = note.quote?.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                text.add(quoted: (quote.map { $0.map { "> \($0)\n" }.joined() + "\n" } ?? "") + note.body)
            }
        }
        if isCut { text.add("\n*There are more notes.*\n") }
        return text.bytes
    }
}

/// A buffer of Markdown bytes. Appending scalars to a string would take twenty times as long for a thousand notes.
struct MarkdownWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ text: String) { bytes += text.utf8 }

    /// Appends a reader's Markdown as a quotation. Each line begins with the mark, so the text cannot end the
    /// quotation. HTML is escaped, and so are link definitions, which would apply to the whole page.
    mutating func add(quoted text: String) {
        add("> ")
        var text = text
        text.withUTF8 { text in
            bytes.reserveCapacity(bytes.count + text.count + text.count / 16 + 16)
            var index = 0
            // The bytes from here on are copied unchanged.
            var start = 0
            while index < text.count {
                let end = Self.endOfLineBreak(text, index)
                if end > index {
                    bytes += text[start..<index]
                    bytes += "\n> ".utf8
                    (index, start) = (end, end)
                    continue
                }
                let byte = text[index]
                let isDefinition = byte == UInt8(ascii: ":") && index > 0 && text[index - 1] == UInt8(ascii: "]")
                if byte == UInt8(ascii: "<") || isDefinition {
                    bytes += text[start..<index]
                    bytes.append(UInt8(ascii: "\\"))
                    start = index
                }
                index += 1
            }
            bytes += text[start...]
        }
        add("\n")
    }

    /// Returns the end of the line break at an index, or the index itself if there is none. Line breaks are LF, VT, FF,
    /// CR, U+0085, U+2028 and U+2029.
    @inline(__always)
    private static func endOfLineBreak(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        switch text[index] {
        case 0x0A...0x0D: index + 1
        case 0xC2 where index + 1 < text.count && text[index + 1] == 0x85: index + 2
        case 0xE2 where index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] & 0xFE == 0xA8: index + 3
        default: index
        }
    }

    /// Appends a name, with its Markdown escaped.
    mutating func add(line text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "["),
                UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "#"):
                bytes.append(UInt8(ascii: "\\"))
            default: break
            }
            bytes.append(byte)
        }
    }
}
