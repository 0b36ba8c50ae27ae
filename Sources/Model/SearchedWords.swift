import JSON

/// The folded words that a search looks into, but for books: those of what a thing is called, and those beside it. A book's
/// are its `BookWords`.
public struct SearchedWords: Sendable {
    let title: SearchText
    let beside: SearchText?
    /// Whether what is beside are names of people.
    var areNames = false

    /// A reading's or a card's: those of its book.
    public init(title: String, authors: [String]) {
        self.title = SearchText(title)
        beside = SearchText(authors)
        areNames = true
    }

    public init(of club: Club) { self.init(name: club.name, description: club.description) }

    public init(of listing: Listing) { self.init(name: listing.name, description: listing.description) }

    private init(name: String, description: String?) {
        title = SearchText(name)
        beside = description.map { SearchText($0) }
    }

    /// A note's.
    public init(body: String, quote: String? = nil) {
        title = SearchText(body: body, quote: quote)
        beside = nil
    }

    /// Those of what is sent; nil for a kind that is not searched by what is sent of it.
    public init?(_ representation: Representation, of kind: ResourceKind) {
        func text(_ name: String) -> String? { representation[name]?.string }
        switch kind {
        case .card:
            self.init(
                title: text("title") ?? "", authors: representation["authors"].flatMap { [String](json: $0) } ?? [])
        case .listing: self.init(name: text("name") ?? "", description: text("description"))
        case .note: self.init(body: text("body") ?? "", quote: text("quote"))
        default: return nil
        }
    }
}

extension SearchQuery {
    /// Whether all that is asked for is there.
    public func matches(_ words: SearchedWords) -> Bool { matches(words.title, or: words.beside) }
}

extension Relevance {
    /// Of what is called something.
    public func score(of words: SearchedWords) -> Int64 {
        score(of: words.title, and: words.beside, areNames: words.areNames)
    }
}
