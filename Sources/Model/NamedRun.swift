import JSON

/// Which of a club's runs a body means: the one that it names, or that of a book, or, where it says neither, the current one.
public struct NamedRun: Sendable {
    public let run: ResourceID?
    public let book: ResourceID?
}

extension ObjectDecoder {
    /// What the members `run` and `book` say.
    mutating func run() -> NamedRun {
        NamedRun(run: id("run", isRequired: false), book: id("book", isRequired: false))
    }
}
