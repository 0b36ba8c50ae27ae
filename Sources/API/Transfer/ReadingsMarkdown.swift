import Model
import Store

/// A reader's readings as Markdown: a heading for each book, followed by prior knowledge, readings and notes.
struct ReadingsMarkdown: ReadingsDocument {
    private var text = MarkdownWriter(bytes: Array("# Readings and notes\n".utf8))
    private var hasNotes = false

    var bytes: [UInt8] {
        get { text.bytes }
        set { text.bytes = newValue }
    }

    mutating func append(_ row: ReadingsDocumentItem) {
        switch row {
        case .book(let book):
            hasNotes = false
            let authors = book.authors.isEmpty ? "" : " — " + book.authors.joined(separator: ", ")
            text.add("\n## ")
            text.add(line: book.title + authors)
            text.add("\n")
            if let isbn = book.isbn { text.add("\nISBN \(isbn)\n") }
        case .knowledge(let knowledge):
            text.add("\nKnown already: \(Self.place(knowledge.progress, nil))\n")
        case .reading(let reading, let stars):
            hasNotes = false
            let begun = reading.beganAt.map { "begun \(Self.day($0)), " } ?? ""
            let finished = reading.finishedAt.map { "finished \(Self.day($0)), " } ?? ""
            text.add(
                "\n### Reading \(reading.number): \(begun)\(finished)"
                    + "\(reading.state.rawValue), \(Self.place(reading.progress, reading.page))"
                    + (stars.map { ", \(Double($0.halves) / 2) stars" } ?? "") + "\n\n")
        case .entry(let entry):
            text.add("- \(entry.happenedAt): \(Self.place(entry.progress, entry.page))")
            if let device = entry.device {
                text.add(" (")
                text.add(line: device)
                text.add(")")
            }
            text.add("\n")
            if entry.noteID == nil, let note = entry.note { quote(note, indent: "  ") }
        case .note(let note):
            if !hasNotes { text.add("\n### Notes\n") }
            hasNotes = true
            let place = note.progress.map { ", at \(Self.place($0, note.page))" } ?? ""
            let kind = note.kind.map { ", \($0.rawValue)" } ?? ""
            text.add("\n\(note.createdAt.map(Self.day) ?? "")\(place)\(kind):\n")
            // The quotation of a note is nested in the note's own block quote.
            if let cited = note.quote { quote(cited, indent: "> ") }
            if !note.body.isEmpty { quote(note.body, indent: "") }
        }
    }

    /// Appends the reader's own text, which may be Markdown but no HTML.
    private mutating func quote(_ own: String, indent: String) {
        text.add("\n")
        text.add(quoted: own, mark: "\(indent)> ")
        text.add("\n")
    }

    private static func place(_ progress: Progress, _ page: Int32?) -> String {
        let percent = "\(progress.millionths / 10_000) %"
        return page.map { "page \($0), \(percent)" } ?? percent
    }

    private static func day(_ instant: Instant) -> String { String("\(instant)".prefix(10)) }
}
