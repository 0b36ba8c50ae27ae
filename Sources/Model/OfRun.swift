import JSON

/// What is of a run: what names it, and, where it is the first of its book, what is on that book and names none.
public struct OfRun: Sendable, Hashable {
    public let run: ResourceID
    /// The book, where the run is the first of it.
    public let book: ResourceID?

    public init(_ run: ClubBook) { (self.run, book) = (run.id, run.isFirst ? run.book : nil) }

    /// One that is no more.
    public init(deleted run: ResourceID) { (self.run, book) = (run, nil) }

    /// Whether something is of it that is given as it is sent.
    public func matches(_ representation: Representation) -> Bool {
        func id(_ name: String) -> ResourceID? { representation[name].flatMap { ResourceID(json: $0) } }
        if let named = id("run") { return named == run }
        return book != nil && id("book") == book
    }
}
