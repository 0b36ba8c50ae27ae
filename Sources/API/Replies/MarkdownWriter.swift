/// A buffer of Markdown bytes. Appending scalars to a string would take twenty times as long for a thousand notes.
struct MarkdownWriter {
    var bytes: [UInt8] = []

    mutating func add(_ text: String) { bytes += text.utf8 }

    /// Appends a reader's Markdown as a quotation. Each line begins with a mark, so the text cannot end the
    /// quotation. HTML is escaped, and so are link definitions, which would apply to the whole page.
    mutating func add(quoted text: String, mark: String = "> ") {
        add(mark)
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
                    bytes += "\n\(mark)".utf8
                    (index, start) = (end, end)
                    continue
                }
                let byte = text[index]
                let isDefinition = byte == UInt8(ascii: ":") && index > 0 && text[index - 1] == UInt8(ascii: "]")
                // A backslash before < would lose its effect after a backslash of the text.
                if byte == UInt8(ascii: "<") || isDefinition {
                    bytes += text[start..<index]
                    bytes += (isDefinition ? "\\" : "&lt;").utf8
                    start = isDefinition ? index : index + 1
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

    /// Appends a part of a line, with its Markdown escaped.
    mutating func add(line text: String) {
        for byte in text.utf8 {
            if "\\`*_[]<>#&~".utf8.contains(byte) { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
    }
}
