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
