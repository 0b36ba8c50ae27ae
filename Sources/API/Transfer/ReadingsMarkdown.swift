import Model
import Store

/// A reader's readings as Markdown: a heading for each book, followed by prior knowledge, readings and notes.
struct ReadingsMarkdown: ReadingsDocument {
    var bytes = Array("# Readings and notes\n".utf8)
    private var hasNotes = false

    mutating func append(_ row: ReadingsDocumentItem) {
        switch row {
        case .book(let book):
            hasNotes = false
            let authors = book.authors.isEmpty ? "" : " — " + book.authors.joined(separator: ", ")
            append("\n## \(Self.plain(book.title + authors))\n")
            if let isbn = book.isbn { append("\nISBN \(isbn)\n") }
        case .knowledge(let knowledge):
            append("\nKnown already: \(Self.place(knowledge.progress, nil))\n")
        case .reading(let reading, let stars):
            hasNotes = false
            let begun = reading.beganAt.map { "begun \(Self.day($0)), " } ?? ""
            let finished = reading.finishedAt.map { "finished \(Self.day($0)), " } ?? ""
            append(
                "\n### Reading \(reading.number): \(begun)\(finished)"
                    + "\(reading.state.rawValue), \(Self.place(reading.progress, reading.page))"
                    + (stars.map { ", \(Double($0.halves) / 2) stars" } ?? "") + "\n\n")
        case .entry(let entry):
            let device = entry.device.map { " (\(Self.plain($0)))" } ?? ""
            append("- \(entry.happenedAt): \(Self.place(entry.progress, entry.page))\(device)\n")
            if entry.noteID == nil, let note = entry.note { quote(note, indent: "  ") }
        case .note(let note):
            if !hasNotes { append("\n### Notes\n") }
            hasNotes = true
            let place = note.progress.map { ", at \(Self.place($0, note.page))" } ?? ""
            let kind = note.kind.map { ", \($0.rawValue)" } ?? ""
            append("\n\(note.createdAt.map(Self.day) ?? "")\(place)\(kind):\n")
            // The quotation of a note is nested in the note's own block quote.
            if let cited = note.quote { quote(cited, indent: "> ") }
            if !note.body.isEmpty { quote(note.body, indent: "") }
        }
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    /// Appends the reader's own text, which may be Markdown but no HTML.
    private mutating func quote(_ text: String, indent: String) {
        append("\n")
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            append("\(indent)> \(line.replacing("<", with: "&lt;"))\n")
        }
        append("\n")
    }

    /// Returns text that others may have written, with all Markdown escaped.
    private static func plain(_ text: String) -> String {
        var plain = ""
        for character in text.unicodeScalars {
            if "\\`*_{}[]<>()#+-.!|~&".unicodeScalars.contains(character) { plain.append("\\") }
            plain.unicodeScalars.append(character)
        }
        return plain
    }

    private static func place(_ progress: Progress, _ page: Int32?) -> String {
        let percent = "\(progress.millionths / 10_000) %"
        return page.map { "page \($0), \(percent)" } ?? percent
    }

    private static func day(_ instant: Instant) -> String { String("\(instant)".prefix(10)) }
}
