import JSON

/// The run of a club that a request names, by its id, by its book, or not at all.
public struct NamedRun: Sendable {
    public let run: ResourceID?
    public let book: ResourceID?

    public init(run: ResourceID?, book: ResourceID?) { (self.run, self.book) = (run, book) }
}

extension ObjectDecoder {
    /// What the members `run` and `book` say.
    mutating func run() -> NamedRun {
        NamedRun(run: id("run", isRequired: false), book: id("book", isRequired: false))
    }
}
