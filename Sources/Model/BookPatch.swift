public import JSON

/// What a request says of a book: all of it, or a merge patch.
public struct BookPatch: Sendable {
    /// See `Book.title`.
    public var title: Patch<String>
    /// See `Book.authors`.
    public var authors: Patch<[String]>
    /// See `Book.isbn`.
    public var isbn: Patch<String>
    /// See `Book.pageCount`.
    public var pageCount: Patch<Int32>
    /// See `Book.language`.
    public var language: Patch<String>
    /// See `Book.publishedYear`.
    public var publishedYear: Patch<Int32>
    /// See `Book.coverURL`.
    public var coverURL: Patch<String>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, form: BodyForm) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        title = decoder.required("title", decoder.string("title", length: 1...500), form)
        let names = decoder.strings("authors", count: 0...50, length: 1...200)
        authors = form == .whole ? names.patch : decoder.required("authors", names, form)
        isbn = Self.isbn(&decoder)
        pageCount = decoder.integer("pageCount", in: Book.pageCounts).patch.map { Int32($0) }
        language = Self.language(&decoder)
        publishedYear = decoder.integer("publishedYear", in: -5000...9999).patch.map { Int32($0) }
        coverURL = decoder.url("coverURL").patch
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }

    /// The book after this was said of it.
    public func applied(to book: Book) -> Book {
        var book = book
        title.apply(to: &book.title)
        authors.apply(to: &book.authors)
        isbn.apply(to: &book.isbn)
        pageCount.apply(to: &book.pageCount)
        language.apply(to: &book.language)
        publishedYear.apply(to: &book.publishedYear)
        coverURL.apply(to: &book.coverURL)
        return book
    }

    private static func isbn(_ decoder: inout ObjectDecoder) -> Patch<String> {
        let text = decoder.string("isbn", length: 10...17)
        guard case .value(let written) = text else { return text.patch }
        guard let isbn = ISBN(written) else {
            decoder.refuse(
                "isbn", "must be an ISBN-10 or ISBN-13 with a right check digit; hyphens and spaces may stay")
            return .keep
        }
        return .set(isbn.digits)
    }

    private static func language(_ decoder: inout ObjectDecoder) -> Patch<String> {
        let text = decoder.string("language", length: 2...35)
        guard case .value(let tag) = text else { return text.patch }
        guard Book.isLanguageTag(tag) else {
            decoder.refuse("language", "must be a BCP 47 language tag such as en or pt-BR")
            return .keep
        }
        return .set(tag)
    }
}

extension Book {
    /// Whether a text has the form of a BCP 47 tag: a word of two to eight letters, then more words of up to eight.
    public static func isLanguageTag(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).enumerated().allSatisfy {
            index, part in
            (index == 0 ? 2...8 : 1...8).contains(part.count)
                && part.allSatisfy { isLetter($0) || index > 0 && isDigit($0) }
        }
    }
}

func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") }

func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
