import JSON

/// A request's reference to a run of a club: by the run's id, by the book's id, or neither.
public struct RunReference: Sendable {
    public let run: ResourceID?
    public let book: ResourceID?

    public init(run: ResourceID?, book: ResourceID?) { (self.run, self.book) = (run, book) }

    /// Decodes the members `run` and `book`.
    init(_ decoder: inout ObjectDecoder) { self.init(run: decoder.id("run"), book: decoder.id("book")) }
}
