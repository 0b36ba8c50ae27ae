import JSON
import Model

/// Which column of a CSV file says what of a book, found by the names in its header.
struct BookColumns {
    private let columns: [String: Int]

    private static let names: [String: [String]] = [
        "key": ["book_id"],
        "title": ["title", "name"],
        "authors": ["authors", "author"],
        "isbn": ["isbn", "isbn13", "isbn10"],
        "isbn13": ["isbn13"],
        "pageCount": ["pagecount", "page_count", "num_pages", "pages"],
        "language": ["language", "language_code", "lang"],
        "publishedYear": ["publishedyear", "original_publication_year", "publication_year", "published", "year"],
        "coverURL": ["coverurl", "cover_url", "cover", "image_url"],
    ]

    /// Nil when no column is the title.
    init?(header: [String]) {
        let header = header.map { $0.lowercased().filter { $0 != " " } }
        columns = Self.names.compactMapValues { names in names.lazy.compactMap { header.firstIndex(of: $0) }.first }
        guard columns["title"] != nil else { return nil }
    }

    private func text(_ name: String, _ row: [String]) -> String? {
        guard let column = columns[name], column < row.count else { return nil }
        let text = row[column].trimmingPrefix { $0 == " " }
        return text.isEmpty ? nil : String(text)
    }

    /// A book's id and body; nil when the row has no title. What the service would refuse of the rest is left out.
    func book(_ row: [String]) -> (id: ResourceID, body: [UInt8])? {
        guard let title = text("title", row) else { return nil }
        let authors = text("authors", row)?.split(separator: ",").map { String($0.trimmingPrefix { $0 == " " }) } ?? []
        let isbn = isbn(row)
        var json = JSONWriter()
        json.beginObject()
        json.name("title")
        json.string(String(title.prefix(500)))
        json.name("authors")
        json.strings(authors.filter { !$0.isEmpty && $0.count <= 200 })
        json.name("isbn")
        json.optional(isbn)
        json.name("pageCount")
        json.optional(number("pageCount", row, in: 1...100_000))
        json.name("language")
        json.optional(text("language", row).flatMap(Self.language))
        json.name("publishedYear")
        json.optional(number("publishedYear", row, in: -5000...9999))
        json.name("coverURL")
        json.optional(text("coverURL", row).flatMap(Self.cover))
        json.endObject()
        let key = text("key", row).map { "goodbooks:\($0)" } ?? isbn.map { "isbn:\($0)" } ?? "title:\(title)|\(authors)"
        return (Self.id(of: key), json.bytes)
    }

    /// Spreadsheets lose an ISBN's leading zeros, and turn longer ones into 9.78E+12, which says nothing any more.
    private func isbn(_ row: [String]) -> String? {
        for name in ["isbn13", "isbn"] {
            guard let written = text(name, row) else { continue }
            let padded = written.count < 10 ? String(repeating: "0", count: 10 - written.count) + written : written
            if let isbn = ISBN(padded) { return isbn.digits }
        }
        return nil
    }

    private func number(_ name: String, _ row: [String], in range: ClosedRange<Int32>) -> Int32? {
        guard let text = text(name, row), let number = Double(text), let whole = Int32(exactly: number.rounded()) else {
            return nil
        }
        return range.contains(whole) ? whole : nil
    }

    /// `eng` is what catalogues write for English; other codes of three letters are language tags as they are.
    private static func language(_ code: String) -> String? {
        let isTag =
            (2...35).contains(code.count)
            && code.utf8.allSatisfy { $0 == 0x2D || ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
        guard isTag, !code.hasPrefix("-"), !code.hasSuffix("-") else { return nil }
        return code == "eng" ? "en" : code
    }

    private static func cover(_ url: String) -> String? {
        url.hasPrefix("http") && !url.contains("nophoto") && url.utf8.count <= 2048 ? url : nil
    }

    /// The same id for the same key, always (RFC 9562, 5.8: version 8).
    static func id(of key: String) -> ResourceID {
        let words = SHA256.digest(of: Array(key.utf8)).words
        let high = UInt64(words[0]) << 32 | UInt64(words[1])
        let low = UInt64(words[2]) << 32 | UInt64(words[3])
        return ResourceID(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}
