import JSON

/// Which readings, or cards of readings, a list shows. A reading must pass every part that is given.
public struct ReadingFilter: Sendable, Hashable {
    /// Where it stands.
    public var state: Reading.State?
    /// Of which book.
    public var book: ResourceID?

    /// The filter that every reading passes, or the one with these parts.
    public init(state: Reading.State? = nil, book: ResourceID? = nil) {
        self.state = state
        self.book = book
    }

    /// Whether a reading passes.
    public func matches(_ reading: Reading) -> Bool {
        (state == nil || reading.state == state) && (book == nil || reading.book == book)
    }

    /// Whether a reading, or a card of one, passes that is given as it is sent.
    public func matches(_ representation: Representation) -> Bool {
        if let state, representation["state"]?.string != state.rawValue { return false }
        if let book, representation["book"].flatMap({ ResourceID(json: $0) }) != book { return false }
        return true
    }
}
