import JSON
import Model
import Store

/// A reader's readings as CSV (RFC 4180): a line for each reading, entry and note, and for each statement of prior
/// knowledge.
///
/// Spreadsheets take a field that begins with certain characters for a formula, which may send neighbouring data
/// elsewhere. Such a field gets a leading apostrophe, as OWASP advises. A field with any other sign is quoted, so that
/// it stays one field with semicolons or tabs as separators, too.
struct ReadingsCSV {
    private static let bytesMax = 64 << 10
    private static let columns = [
        "type", "title", "authors", "isbn", "reading", "state", "progress", "page", "at", "finishedAt", "device",
        "text", "kind", "quote", "language", "stars",
    ]

    /// The full-width forms of `=`, `+`, `-` and `@`, which some programs also take for the beginning of a formula.
    private static let wide = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]

    private(set) var bytes = Array((columns.joined(separator: ",") + "\r\n").utf8)
    private var book: Book?
    private var number: Int32?

    mutating func append(_ row: ReadingsDocumentItem) {
        switch row {
        case .book(let book): self.book = book
        case .knowledge(let knowledge):
            line(["knowledge", "", "", Self.number(knowledge.progress), "", Self.text(knowledge.createdAt), "", "", ""])
        case .reading(let reading, let stars):
            number = reading.number
            line([
                "reading", "\(reading.number)", reading.state.rawValue, Self.number(reading.progress),
                Self.text(reading.page),
                Self.text(reading.beganAt), Self.text(reading.finishedAt), "", "", "", "", "",
                stars.map(Self.number) ?? "",
            ])
        case .entry(let entry):
            line([
                "entry", number.map { "\($0)" } ?? "", "", Self.number(entry.progress), Self.text(entry.page),
                Self.text(entry.happenedAt), "", entry.device ?? "",
                entry.noteID == nil ? entry.note ?? "" : "",
            ])
        case .note(let note):
            line([
                "note", "", "", note.progress.map(Self.number) ?? "", Self.text(note.page), Self.text(note.createdAt),
                "",
                "", note.body, note.kind?.rawValue ?? "", note.quote ?? "", note.language ?? "",
            ])
        }
    }

    /// Sends the buffer if it is large enough.
    mutating func send(to sink: ExportSink) throws(RequestError) {
        guard bytes.count >= Self.bytesMax else { return }
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func line(_ own: [String]) {
        guard let book else { return }
        let given = [own[0], book.title, book.authors.joined(separator: "; "), book.isbn ?? ""] + own.dropFirst()
        let fields = given + Array(repeating: "", count: Self.columns.count - given.count)
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field)
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
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func number(_ value: some StorableValue) -> String {
        var json = JSONWriter(capacity: 16)
        value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func text(_ page: Int32?) -> String { page.map { "\($0)" } ?? "" }

    private static func text(_ instant: Instant?) -> String { instant.map { "\($0)" } ?? "" }
}
