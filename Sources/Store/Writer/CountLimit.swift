import Model

/// The maximum number of resources of one kind that somebody can have.
struct CountLimit: Sendable {
    /// The name of the limit in problems and in the help.
    let name: String
    let max: Int
    /// The detail of the problem.
    let detail: String

    init(_ name: String, _ max: Int, _ detail: (Int) -> String) {
        (self.name, self.max, self.detail) = (name, max, detail(max))
    }

    var problem: RequestError { .exceeded(.limitReached, limit: name, max: max, detail) }

    /// Throws if there are already as many resources as there can be.
    func demandRoom(beside count: some BinaryInteger) throws(RequestError) {
        guard count < max else { throw problem }
    }
}
