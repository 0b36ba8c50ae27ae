import Bytes
import JSON
import Model
import Store

/// A reader's readings as CSV (RFC 4180): a line for each reading, entry and note, and for each statement of prior
/// knowledge.
///
/// Spreadsheets take a field that begins with certain characters for a formula, which may send neighbouring data
/// elsewhere. Such a field gets a leading apostrophe, as OWASP advises. A field with any other sign is quoted, so that
/// it stays one field with semicolons or tabs as separators, too.
struct ReadingsCSV: ReadingsDocument {
    private static let columns = [
        "type", "title", "authors", "isbn", "reading", "state", "progress", "page", "at", "finishedAt", "device",
        "text", "kind", "quote", "language", "stars",
    ]

    /// The full-width forms of `=`, `+`, `-` and `@`, which some programs also take for the beginning of a formula.
    private static let wide = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]

    var bytes = Array((columns.joined(separator: ",") + "\r\n").utf8)
    private var book: Book?
    private var number: Int32?

    mutating func append(_ row: ReadingsDocumentItem) {
        switch row {
        case .book(let book): self.book = book
        case .knowledge(let knowledge):
            line([
                "type": "knowledge", "progress": Self.number(knowledge.progress), "at": Self.text(knowledge.createdAt),
            ])
        case .reading(let reading, let stars):
            number = reading.number
            line([
                "type": "reading", "reading": Self.number(reading.number), "state": reading.state.rawValue,
                "progress": Self.number(reading.progress), "page": reading.page.map(Self.number),
                "at": Self.text(reading.beganAt), "finishedAt": Self.text(reading.finishedAt),
                "stars": stars.map(Self.number),
            ])
        case .entry(let entry):
            line([
                "type": "entry", "reading": number.map(Self.number), "progress": Self.number(entry.progress),
                "page": entry.page.map(Self.number), "at": Self.text(entry.happenedAt), "device": entry.device,
                "text": entry.noteID == nil ? entry.note : nil,
            ])
        case .note(let note):
            line([
                "type": "note", "progress": note.progress.map(Self.number), "page": note.page.map(Self.number),
                "at": Self.text(note.createdAt), "text": note.body, "kind": note.kind?.rawValue, "quote": note.quote,
                "language": note.language,
            ])
        }
    }

    private mutating func line(_ own: [String: String?]) {
        guard let book else { return }
        var fields = own
        fields["title"] = book.title
        fields["authors"] = book.authors.joined(separator: "; ")
        fields["isbn"] = book.isbn
        for (index, column) in Self.columns.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append((fields[column] ?? nil) ?? "")
        }
        bytes += [0x0D, 0x0A]
    }

    private mutating func append(_ field: String) {
        let text = Array(field.utf8)
        let isFormula = Self.isFormula(text)
        let isQuoted = isFormula || !text.allSatisfy(Self.isPlain)
        if isQuoted { bytes.append(UInt8(ascii: "\"")) }
        if isFormula { bytes.append(UInt8(ascii: "'")) }
        for byte in text {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        if isQuoted { bytes.append(UInt8(ascii: "\"")) }
    }

    static func isFormula(_ text: [UInt8]) -> Bool {
        guard let first = text.first else { return false }
        return "=+-@\t\r\n".utf8.contains(first) || wide.contains { text.starts(with: $0.utf8) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || ".:-".utf8.contains(byte)
    }

    private static func number(_ value: some StorableValue) -> String {
        var json = JSONWriter(capacity: 16)
        value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func text(_ instant: Instant?) -> String? { instant.map { "\($0)" } }
}
