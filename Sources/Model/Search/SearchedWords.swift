import JSON

/// The folded words that searches compare: those of the title or name, and those beside it.
public struct SearchedWords: Sendable {
    let title: FoldedSearchText
    let beside: FoldedSearchText?
    /// A Boolean value indicating whether `beside` holds people's names.
    var areNames = false

    public init(of book: Book) { self.init(title: book.title, authors: book.authors) }

    /// Folds the words of the book of a reading or a card.
    public init(title: String, authors: [String]) {
        self.title = FoldedSearchText(title)
        beside = FoldedSearchText(authors)
        areNames = true
    }

    public init(of club: Club) { self.init(name: club.name, description: club.description) }

    public init(of listing: ClubListing) { self.init(name: listing.name, description: listing.description) }

    private init(name: String, description: String?) {
        title = FoldedSearchText(name)
        beside = description.map { FoldedSearchText($0) }
    }

    /// Folds the words of a note.
    public init(body: String, quote: String? = nil) {
        title = FoldedSearchText(body: body, quote: quote)
        beside = nil
    }

    /// Folds the words of a representation, or returns `nil` for a kind whose representation is not searched.
    public init?(_ representation: ResourceRepresentation, of kind: ResourceKind) {
        func text(_ name: String) -> String? { representation[name]?.string }
        switch kind {
        case .book, .card:
            self.init(
                title: text("title") ?? "", authors: representation["authors"].flatMap { [String](json: $0) } ?? [])
        case .listing: self.init(name: text("name") ?? "", description: text("description"))
        case .note: self.init(body: text("body") ?? "", quote: text("quote"))
        default: return nil
        }
    }
}

extension SearchQuery {
    /// Returns whether all words of the query occur.
    public func matches(_ words: SearchedWords) -> Bool { matches(words.title, or: words.beside) }
}
