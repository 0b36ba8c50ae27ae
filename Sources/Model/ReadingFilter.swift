import JSON

/// Which readings, or cards of readings, a list shows. A reading must pass every part that is given.
public struct ReadingFilter: Sendable, Hashable {
    /// Where it stands.
    public var state: Reading.State?
    /// Of which book.
    public var book: ResourceID?
    /// With these words in the book's title and its authors' names.
    public var search: SearchQuery?

    /// The filter that every reading passes, or the one with these parts.
    public init(state: Reading.State? = nil, book: ResourceID? = nil, search: SearchQuery? = nil) {
        self.state = state
        self.book = book
        self.search = search
    }

    /// Whether a card passes, or a reading without regard to words, which it does not show, given as it is sent. Its words are
    /// asked for only by a search.
    public func matches(_ representation: Representation, words: @autoclosure () -> SearchedWords?) -> Bool {
        if let state, representation["state"]?.string != state.rawValue { return false }
        if let book, representation["book"].flatMap({ ResourceID(json: $0) }) != book { return false }
        guard let search else { return true }
        return words().map { search.matches($0) } ?? true
    }
}
