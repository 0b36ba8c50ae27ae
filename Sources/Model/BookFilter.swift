import Bytes

/// Which books a list shows. A book must pass every part that is given.
public struct BookFilter: Sendable, Hashable {
    /// Words of title and authors.
    public var search: SearchQuery?
    /// Words of the authors' names.
    public var author: SearchQuery?
    /// Thirteen digits.
    public var isbn: String?
    /// The language range: `en` passes `en`, `EN` and `en-GB` (RFC 4647, 3.3.1).
    public var language: String?
    /// The first year, inclusive.
    public var publishedFrom: Int32?
    /// The last year, inclusive.
    public var publishedTo: Int32?

    /// The filter that every book passes.
    public init() {}

    /// Whether a book passes; the same answer as the database gives.
    public func matches(_ book: Book) -> Bool { matches(book, words: BookWords(of: book)) }

    /// Whether a book passes whose words may have been folded before; they are asked for only by a search.
    public func matches(_ book: Book, words: @autoclosure () -> BookWords) -> Bool {
        if let isbn, book.isbn != isbn { return false }
        if let language, !(book.language.map { isTag($0, in: language) } ?? false) { return false }
        if let publishedFrom, book.publishedYear.map({ $0 < publishedFrom }) ?? true { return false }
        if let publishedTo, book.publishedYear.map({ $0 > publishedTo }) ?? true { return false }
        guard search != nil || author != nil else { return true }
        let words = words()
        return author.map { $0.matches(words.ofAuthors) } ?? true
            && search.map { $0.matches(words.ofTitle, or: words.ofAuthors) } ?? true
    }
}

/// Whether a language tag is the range, or begins with it and a hyphen. Only A to Z have a case here, as in the database.
private func isTag(_ tag: String, in range: String) -> Bool {
    var tag = tag.utf8[...]
    for expected in range.utf8 {
        guard let byte = tag.popFirst() else { return false }
        guard byte == expected || byte.isLetter && byte ^ expected == 0x20 else { return false }
    }
    return tag.isEmpty || tag.first == UInt8(ascii: "-")
}

/// The folded words of a book that searches look at: made once, however many searches ask.
public struct BookWords: Sendable {
    /// The words of its title.
    public let ofTitle: SearchText
    /// The words of its authors' names.
    public let ofAuthors: SearchText

    /// The ranges that pass its language, each as a word that no text has: of `en-GB` they are `=en` and `=en-gb`.
    public let ofLanguage: [UInt8]

    /// What the index has of them, column by column.
    public var columns: [[UInt8]] { [ofTitle.bytes, ofAuthors.bytes, ofLanguage] }

    /// Folds the words of a book.
    public init(of book: Book) {
        ofTitle = SearchText(book.title)
        ofAuthors = SearchText(book.authors)
        let tag = book.language?.utf8.split(separator: UInt8(ascii: "-")) ?? []
        ofLanguage = Array(
            tag.indices.map { Self.word(ofLanguage: tag[...$0].joined(separator: [UInt8(ascii: "-")])) }.joined(
                separator: [UInt8(ascii: " ")]))
    }

    /// The word of a language range.
    public static func word(ofLanguage range: some Sequence<UInt8>) -> [UInt8] {
        [UInt8(ascii: "=")] + range.map(\.lowercased)
    }
}

/// The order of a list of books; ties are broken by the order of creation.
public enum BookOrder: String, Sendable, CaseIterable, Hashable {
    /// The best answer to `q` first.
    case relevance
    /// Without leading articles: see `SortKey`.
    case title
    /// By the family name of the first one, and then by title.
    case author
    case publishedYear
    case createdAt
    case updatedAt
}
