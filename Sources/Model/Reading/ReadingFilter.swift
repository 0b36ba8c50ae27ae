import JSON

/// The filter of a list of readings or cards. A reading must pass every part that is set.
public struct ReadingFilter: Sendable, Hashable {
    /// The state.
    public var state: ReadingState?
    /// The book.
    public var book: ResourceID?
    /// Words of the book's title and its authors.
    public var search: SearchQuery?

    /// Creates a filter with these parts; without any, every reading passes.
    public init(state: ReadingState? = nil, book: ResourceID? = nil, search: SearchQuery? = nil) {
        self.state = state
        self.book = book
        self.search = search
    }

    /// Returns whether a card or a reading passes, given its representation. A reading shows no words, so `words` may
    /// be `nil`, which passes. Evaluates the words only if the filter searches.
    public func matches(_ representation: ResourceRepresentation, words: @autoclosure () -> SearchedWords?) -> Bool {
        if let state, representation["state"]?.string != state.rawValue { return false }
        if let book, representation["book"].flatMap({ ResourceID(json: $0) }) != book { return false }
        guard let search else { return true }
        return words().map { search.matches($0) } ?? true
    }
}
