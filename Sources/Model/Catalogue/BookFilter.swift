import Bytes

/// The filter of a list of books. A book must pass every part that is set.
public struct BookFilter: Sendable, Hashable {
    /// Words of the title and the authors.
    public var search: SearchQuery?
    /// Words of the authors' names.
    public var author: SearchQuery?
    /// The ISBN, as thirteen digits.
    public var isbn: String?
    /// The language range: `en` passes `en`, `EN` and `en-GB` (RFC 4647, 3.3.1).
    public var language: String?
    /// The first year of publication, inclusive.
    public var publishedFrom: Int32?
    /// The last year of publication, inclusive.
    public var publishedTo: Int32?

    /// Creates a filter that every book passes.
    public init() {}

    /// Returns whether a book passes. The queries of the database give the same answer.
    public func matches(_ book: Book) -> Bool { matches(book, words: SearchedWords(of: book)) }

    /// Returns whether a book passes. Evaluates the words, which may be cached, only if the filter searches.
    public func matches(_ book: Book, words: @autoclosure () -> SearchedWords?) -> Bool {
        if let isbn, book.isbn != isbn { return false }
        if let language, !(book.language.map { isTag($0, in: language) } ?? false) { return false }
        if let publishedFrom, book.publishedYear.map({ $0 < publishedFrom }) ?? true { return false }
        if let publishedTo, book.publishedYear.map({ $0 > publishedTo }) ?? true { return false }
        guard search != nil || author != nil else { return true }
        guard let words = words(), let names = words.beside else { return false }
        return author?.matches(names) ?? true && search?.matches(words) ?? true
    }
}

/// Returns whether a language tag equals the range, or begins with it and a hyphen. As in the database, only A to Z are
/// compared without case.
private func isTag(_ tag: String, in range: String) -> Bool {
    var tag = tag.utf8[...]
    for expected in range.utf8 {
        guard let byte = tag.popFirst() else { return false }
        guard byte == expected || byte.isLetter && byte ^ expected == 0x20 else { return false }
    }
    return tag.isEmpty || tag.first == UInt8(ascii: "-")
}

extension Book {
    /// The columns of the search index: the words of the title, those of the authors' names, and the language ranges
    /// that match the book's language, each as a word that no text contains. For `en-GB` they are `=en` and `=en-gb`.
    public var searchColumns: [[UInt8]] {
        let tag = language?.utf8.split(separator: UInt8(ascii: "-")) ?? []
        let ranges = tag.indices.map { Self.word(ofLanguage: tag[...$0].joined(separator: [UInt8(ascii: "-")])) }
        return [
            FoldedSearchText(title).bytes, FoldedSearchText(authors).bytes,
            Array(ranges.joined(separator: [UInt8(ascii: " ")])),
        ]
    }

    /// Returns the word that stands for a language range.
    public static func word(ofLanguage range: some Sequence<UInt8>) -> [UInt8] {
        [UInt8(ascii: "=")] + range.map(\.lowercased)
    }
}

/// The order of a list of books. Ties are broken by the order of creation.
public enum BookOrder: String, Sendable, CaseIterable, Hashable {
    /// The best match for `q` first.
    case relevance
    /// By title without leading articles: see `BookSortKey`.
    case title
    /// By the family name of the first author, then by title.
    case author
    case publishedYear
    case createdAt
    case updatedAt
}
