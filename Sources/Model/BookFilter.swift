/// Which books a list shows. A book must pass every part that is given.
public struct BookFilter: Sendable, Hashable {
    /// Words of title and authors.
    public var search: SearchQuery?
    /// Words of the authors' names.
    public var author: SearchQuery?
    /// Thirteen digits.
    public var isbn: String?
    /// The language tag, compared without case.
    public var language: String?
    /// The first year, inclusive.
    public var publishedFrom: Int32?
    /// The last year, inclusive.
    public var publishedTo: Int32?

    /// The filter that every book passes.
    public init() {}

    /// Whether a book passes; the same answer as the database gives.
    public func matches(_ book: Book) -> Bool {
        if let isbn, book.isbn != isbn { return false }
        if let language, book.language?.lowercased() != language.lowercased() { return false }
        if let publishedFrom, book.publishedYear.map({ $0 < publishedFrom }) ?? true { return false }
        if let publishedTo, book.publishedYear.map({ $0 > publishedTo }) ?? true { return false }
        guard search != nil || author != nil else { return true }
        let authors = book.authors.flatMap(SearchText.words)
        if let author, !author.matches(authors) { return false }
        return search.map { $0.matches(SearchText.words(of: book.title) + authors) } ?? true
    }
}

/// The order of a list of books; ties are broken by the order of creation.
public enum BookOrder: String, Sendable, CaseIterable, Hashable {
    case title
    case publishedYear
    case createdAt
    case updatedAt
}
