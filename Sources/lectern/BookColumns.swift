import Bytes
import JSON
import Model

/// Which column of a CSV file says what of a book, found by the names in its header.
struct BookColumns {
    /// A file that is known by its header, and with it whose numbers it has.
    enum Form: String {
        /// goodbooks-10k.
        case goodbooks
        /// The export of a library at Goodreads, whose "Book Id" is the same in everybody's.
        case goodreads
    }

    /// Nil for a file of no known form.
    let form: Form?
    private let columns: [String: [Int]]
    private let width: Int

    /// Of several columns that a file has, the first one counts that says something in a row.
    private static let names: [String: [String]] = [
        "number": ["bookid"],
        "title": ["title", "name"],
        "authors": ["authors", "author"],
        "moreAuthors": ["additionalauthors"],
        "isbn": ["isbn13", "isbn", "isbn10"],
        "pageCount": ["pagecount", "numpages", "numberofpages", "pages"],
        "language": ["language", "languagecode", "lang"],
        "publishedYear": [
            "publishedyear", "originalpublicationyear", "publicationyear", "yearpublished", "published", "year",
        ],
        "coverURL": ["coverurl", "cover", "imageurl"],
    ]

    /// Nil when no column is the title.
    init?(header: [String]) {
        let header = header.map { $0.lowercased().filter { $0 != " " && $0 != "_" } }
        columns = Self.names.compactMapValues { names in names.compactMap { header.firstIndex(of: $0) } }
        guard columns["title"] != [] else { return nil }
        width = header.count
        let has = Set(header)
        form =
            has.isSuperset(of: ["bookid", "goodreadsbookid", "workid"])
            ? .goodbooks : has.isSuperset(of: ["bookid", "exclusiveshelf"]) ? .goodreads : nil
    }

    /// Why a row is no book: a sentence for the person whose file it is.
    struct Fault: Error, Equatable {
        let reason: String
    }

    /// A row as a book.
    struct Row {
        let id: ResourceID
        let body: [UInt8]
        /// What of the row is left out because it is wrong: a sentence each for the person whose file it is.
        let warnings: [String]
    }

    /// The book of a row, whose id follows from its source. Throws for what the service would refuse, and for more cells
    /// than the header names, of which nobody knows whose they are; a wrong ISBN, as spreadsheets make them, and a cover
    /// that is no address are left out with a warning.
    func book(_ row: [String], of source: ImportSource) throws(Fault) -> Row {
        guard row.count <= width else {
            throw Fault(
                reason: "there are \(row.count) cells, and \(width) in the header; text with a comma in it is quoted")
        }
        guard let title = text("title", row) else { throw Fault(reason: "there is no title") }
        let (number, isbn, authors) = (text("number", row), isbn(row), authors(row))
        var warnings: [String] = []
        if isbn == nil, let wrong = isbns(row).first {
            warnings.append("isbn: \"\(wrong.prefix(40))\" is none (its check digit, or form, is wrong): left out")
        }
        let cover = text("coverURL", row).flatMap { $0.contains("nophoto") ? nil : $0 }
        let isCover = cover.map(Self.isAddress) ?? true
        if !isCover { warnings.append("coverURL: \"\(cover?.prefix(40) ?? "")\" is no http or https URL: left out") }
        var json = JSONWriter()
        json.beginObject()
        json.name("title")
        json.string(title)
        json.name("authors")
        json.value(authors)
        json.name("isbn")
        json.value(isbn)
        json.name("pageCount")
        let pages = try self.number("pageCount", row)
        json.value(pages == 0 ? nil : pages)
        json.name("language")
        json.value(try language(row))
        json.name("publishedYear")
        json.value(try self.number("publishedYear", row))
        json.name("coverURL")
        json.value(isCover ? cover : nil)
        json.endObject()
        try Self.check(json.bytes)
        let key = source.key(number: number, isbn: isbn, title: title, authors: authors)
        return Row(id: Self.id(of: key), body: json.bytes, warnings: warnings)
    }

    private static func check(_ body: [UInt8]) throws(Fault) {
        do {
            _ = try BookPatch(JSONDocument(body).root, form: .whole)
        } catch LecternError.invalid(let violations) {
            throw Fault(reason: violations.map { "\($0.pointer.dropFirst()): \($0.detail)" }.joined(separator: "; "))
        } catch {
            throw Fault(reason: "\(error)")
        }
    }

    private func text(_ name: String, _ row: [String]) -> String? {
        for column in columns[name] ?? [] where column < row.count {
            let text = row[column].trimmingPrefix { $0 == " " }
            if !text.isEmpty { return String(text) }
        }
        return nil
    }

    /// Names that commas separate; but what Goodreads calls the author is one, also with a comma in it.
    private func authors(_ row: [String]) -> [String] {
        func names(_ text: String) -> [String] {
            text.split(separator: ",").map { String($0.trimmingPrefix { $0 == " " }) }.filter { !$0.isEmpty }
        }
        guard form == .goodreads else { return text("authors", row).map(names) ?? [] }
        let all = [text("authors", row)].compactMap(\.self) + (text("moreAuthors", row).map(names) ?? [])
        return all.map { $0.split(separator: " ").joined(separator: " ") }
    }

    /// Spreadsheets lose an ISBN's leading zeros, or keep them by writing `="0439023483"`; longer ones they turn into
    /// 9.78E+12, which says nothing any more.
    private func isbn(_ row: [String]) -> String? {
        for written in isbns(row) {
            let padded = written.count < 10 ? String(repeating: "0", count: 10 - written.count) + written : written
            if let isbn = ISBN(padded) { return isbn.digits }
        }
        return nil
    }

    /// What a row has for an ISBN, right or wrong.
    private func isbns(_ row: [String]) -> [String] {
        (columns["isbn"] ?? []).lazy.filter { $0 < row.count }
            .map { row[$0].filter { $0 != "=" && $0 != "\"" && $0 != " " } }.filter { !$0.isEmpty }
    }

    /// A whole number, also as 2008.0; of a date its year.
    private func number(_ name: String, _ row: [String]) throws(Fault) -> Int32? {
        guard let text = text(name, row) else { return nil }
        // As nearly all are; a pattern is made anew at each use, which takes longer than all the rest of a row.
        if text.utf8.count <= 9, text.utf8.allSatisfy(\.isDigit) { return Int32(text) }
        let written = text.wholeMatch(of: /([0-9]{4})-[0-9]{2}(-[0-9]{2})?/).map { String($0.1) } ?? text
        guard written.wholeMatch(of: /-?[0-9]{1,9}(\.0*)?\s*/) != nil,
            let number = Int32(written.prefix { $0 == "-" || $0.isWholeNumber })
        else { throw Fault(reason: "\(name): \"\(text.prefix(40))\" is no whole number") }
        return number
    }

    private func language(_ row: [String]) throws(Fault) -> String? {
        guard let text = text("language", row) else { return nil }
        do throws(LanguageCode.Unknown) { return try LanguageCode.tag(of: text) } catch {
            throw Fault(reason: "language: \"\(text.prefix(40))\" is no code of ISO 639 and no language tag")
        }
    }

    private static func isAddress(_ url: String) -> Bool {
        (url.hasPrefix("http://") || url.hasPrefix("https://")) && url.utf8.count <= 2048
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
