import Bytes
import JSON
import Model

/// The columns of a CSV file that describe a book, found by the names in its header.
struct CSVBookColumns {
    /// The values that are read from a row.
    enum Column: String, CaseIterable {
        case number, title, authors, moreAuthors, isbn, pageCount, language, publishedYear, coverURL
        case stars, state, finishedAt, reading

        /// The names of the column in headers. If a file has several of them, the first one with a value in a row
        /// counts.
        var names: [String] {
            switch self {
            case .number: ["bookid"]
            case .title: ["title", "name"]
            case .authors: ["authors", "author"]
            case .moreAuthors: ["additionalauthors"]
            case .isbn: ["isbn13", "isbn", "isbn10", "isbn/uid"]
            case .pageCount: ["pagecount", "numpages", "numberofpages", "pages"]
            case .language: ["language", "languagecode", "lang"]
            case .publishedYear:
                ["publishedyear", "originalpublicationyear", "publicationyear", "yearpublished", "published", "year"]
            case .coverURL: ["coverurl", "cover", "imageurl"]
            case .stars: ["myrating", "starrating", "stars"]
            case .state: ["exclusiveshelf", "readstatus", "state"]
            case .finishedAt: ["finishedat", "dateread", "lastdateread", "dateadded"]
            case .reading: ["reading"]
            }
        }
    }

    /// The form of the file, or `nil` if it is unknown.
    let form: BookFileFormat?
    private var columns: [Column: [Int]]
    private let width: Int
    /// A Boolean value indicating whether a comma may be part of a name, because another character separates the
    /// columns.
    private let mayInvertNames: Bool
    /// The names of columns that are not imported, as the header has them.
    let unused: [String]

    /// Finds the columns. Returns `nil` if none is the title.
    init?(header: [String], separator: UInt8 = UInt8(ascii: ",")) {
        mayInvertNames = separator != UInt8(ascii: ",")
        let names = header
        let header = names.map { $0.lowercased().filter { $0 != " " && $0 != "_" } }
        columns = Dictionary(
            uniqueKeysWithValues: Column.allCases.map { column in
                (column, column.names.compactMap { header.firstIndex(of: $0) })
            })
        guard columns[.title] != [] else { return nil }
        width = header.count
        form = BookFileFormat.allCases.first { Set(header).isSuperset(of: $0.columns) }
        // The language of notes is not that of their book.
        if form == .lectern { columns[.language] = nil }
        let used = Set(columns.values.joined())
        unused = names.indices.filter { !used.contains($0) && !names[$0].isEmpty }.map { names[$0] }
    }

    /// Converts a row to a book, whose id is derived from its source. Throws for a book that the service would refuse,
    /// and for more cells than header columns, whose meaning is unknown. An invalid ISBN, as spreadsheets produce, and
    /// an invalid cover URL are left out with a warning.
    func book(_ row: CSVRow, of source: CSVRowSource) throws(InvalidText) -> CSVBookRow {
        guard row.fields.count <= width else {
            throw InvalidText(
                reason:
                    "there are \(row.fields.count) cells, but \(width) in the header. Put text with a separator in quotes"
            )
        }
        guard let written = text(.title, row) else { throw InvalidText(reason: "there is no title") }
        let (title, series) = form == .goodreads ? Self.withoutSeries(written) : (written, nil)
        let (isbn, authors) = (isbn(row), authors(row))
        var warnings: [String] = []
        if isbn == nil, let wrong = isbns(row).first(where: { form != .storygraph || Self.isLikeISBN($0) }) {
            warnings.append("isbn: \"\(wrong.prefix(40))\" is not valid: left out")
        }
        // Goodreads has such an image for books without one. `contains` with a text takes longer than the rest of a row.
        let cover = text(.coverURL, row).flatMap { url in
            url.utf8.split(separator: UInt8(ascii: "/")).contains { $0.starts(with: "nophoto".utf8) } ? nil : url
        }
        let isCover =
            cover.map { ($0.hasPrefix("http://") || $0.hasPrefix("https://")) && $0.utf8.count <= 2048 } ?? true
        if !isCover {
            warnings.append("coverURL: \"\(cover?.prefix(40) ?? "")\" is not an http or https URL: left out")
        }
        var json = JSONWriter()
        json.beginObject()
        json.member("title", title)
        json.member("authors", authors)
        json.member("isbn", isbn)
        json.name("pageCount")
        let pages = try number(.pageCount, row)
        json.value(pages == 0 ? nil : pages)
        let language = text(.language, row)
        json.member("language", try language.flatMap(LanguageCode.tag))
        json.member("publishedYear", try number(.publishedYear, row))
        json.member("coverURL", isCover ? cover : nil)
        json.endObject()
        try Self.check(json.bytes)
        let key = source.key(number: text(.number, row), isbn: isbn, title: title, authors: authors)
        let rating = rating(row, &warnings)
        return CSVBookRow(
            line: row.line, id: Self.id(of: key), body: json.bytes, warnings: warnings, series: series, rating: rating)
    }

    private static func check(_ body: [UInt8]) throws(InvalidText) {
        do {
            _ = try BookPatch(JSONDocument(body).root, form: .whole)
        } catch RequestError.invalid(let violations) {
            throw InvalidText(
                reason: violations.map { "\($0.pointer.dropFirst()): \($0.detail)" }.joined(separator: "; "))
        } catch {
            throw InvalidText(reason: "\(error)")
        }
    }

    /// Returns the first value of the columns with this meaning.
    func text(_ name: Column, _ row: CSVRow) -> String? {
        for text in texts(name, row) { return text }
        return nil
    }

    /// Returns the values of all columns with this meaning that are not empty.
    func texts(_ name: Column, _ row: CSVRow) -> some Sequence<String> {
        (columns[name] ?? []).lazy.compactMap { column in
            guard column < row.fields.count else { return nil }
            let text = row.fields[column].trimmed
            // An account's text that spreadsheets would run as a formula has an apostrophe before it.
            if form == .lectern, text.hasPrefix("'"), let next = text.dropFirst().first, "=+-@＝＋－＠".contains(next) {
                return String(text.dropFirst())
            }
            return text.isEmpty ? nil : text
        }
    }

    /// Returns the names in the author columns. Goodreads' author column contains one author, even with a comma in the
    /// name.
    private func authors(_ row: CSVRow) -> [String] {
        func names(_ column: Column) -> [String] {
            // Only semicolons separate the authors in an account.
            let cell = text(column, row).map { form == .lectern ? $0 + ";" : $0 }
            return cell.map { CSVAuthorCell.names(in: $0, mayBeInverted: mayInvertNames) } ?? []
        }
        guard form == .goodreads else { return names(.authors) + names(.moreAuthors) }
        let all = [text(.authors, row)].compactMap(\.self) + names(.moreAuthors)
        return all.map { $0.split(separator: " ").joined(separator: " ") }
    }

    /// Returns the first valid ISBN. Spreadsheets drop an ISBN's leading zeros, or keep them as `="0439023483"`. They
    /// turn longer ones into 9.78E+12, which cannot be recovered.
    private func isbn(_ row: CSVRow) -> String? {
        for written in isbns(row) {
            let padded = written.count < 10 ? String(repeating: "0", count: 10 - written.count) + written : written
            if let isbn = ISBN(padded) { return isbn.digits }
        }
        return nil
    }

    /// Returns a row's ISBN values, valid or not.
    private func isbns(_ row: CSVRow) -> [String] {
        (columns[.isbn] ?? []).filter { $0 < row.fields.count }
            .map { row.fields[$0].filter { !"=\" ".contains($0) } }.filter { !$0.isEmpty }
    }

    /// Parses a whole number, also written as 2008.0. Takes the year of a date.
    private func number(_ name: Column, _ row: CSVRow) throws(InvalidText) -> Int32? {
        guard let text = text(name, row) else { return nil }
        let whole = text.prefix { $0 != "." }
        let isWhole = text[whole.endIndex...].dropFirst().allSatisfy { $0 == "0" }
        if isWhole, let number = Int32(whole), !whole.hasPrefix("+") { return number }
        // A pattern is compiled at each use, which takes longer than the rest of a row.
        if let date = text.wholeMatch(of: /([0-9]{4})-[0-9]{2}(-[0-9]{2})?/) { return Int32(date.1) }
        throw InvalidText(reason: "\(name.rawValue): \"\(text.prefix(40))\" is not a whole number")
    }

    /// Derives an id from a key: the same id for the same key, always (RFC 9562, 5.8: version 8).
    static func id(of key: String) -> ResourceID {
        let words = SHA256.digest(of: Array(key.utf8)).words
        let high = UInt64(words[0]) << 32 | UInt64(words[1])
        let low = UInt64(words[2]) << 32 | UInt64(words[3])
        return ResourceID(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}

/// A known form of file, recognized by its header. It tells where the book numbers come from.
enum BookFileFormat: String, CaseIterable {
    /// The goodbooks-10k data set.
    case goodbooks
    /// The export of a library at Goodreads, whose "Book Id" is the same in every export.
    case goodreads
    /// The export of a library at StoryGraph, whose books have no numbers.
    case storygraph
    /// The export of an account as CSV, whose books have no numbers.
    case lectern

    /// The columns that only such files have together.
    var columns: Set<String> {
        switch self {
        case .goodbooks: ["bookid", "goodreadsbookid", "workid"]
        case .goodreads: ["bookid", "exclusiveshelf"]
        case .storygraph: ["isbn/uid", "readstatus"]
        case .lectern: ["type", "reading", "quote", "stars"]
        }
    }
}

/// A row converted to a book.
struct CSVBookRow {
    /// The line of the file where the row begins.
    let line: Int
    let id: ResourceID
    let body: [UInt8]
    /// The invalid values that were left out: a sentence each for the person who imports.
    let warnings: [String]
    /// The series in parentheses that the title contained, or `nil`.
    let series: String?
    let rating: CSVRating?
}
