import Model

/// A set of versions that a precondition names.
package enum PreconditionVersions: Sendable, Equatable {
    /// `*`: any version.
    case any
    case versions([Int64])

    func contains(_ version: Int64) -> Bool {
        switch self {
        case .any: true
        case .versions(let versions): versions.contains(version)
        }
    }
}

/// The `If-Match` and `If-None-Match` conditions, checked against the current state when the command is decided.
package struct Precondition: Sendable {
    /// The versions of which the resource must have one.
    package let ifMatch: PreconditionVersions?
    /// The versions of which the resource must have none.
    package let ifNoneMatch: PreconditionVersions?

    /// Creates a precondition; `nil` means no condition.
    package init(ifMatch: PreconditionVersions? = nil, ifNoneMatch: PreconditionVersions? = nil) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    /// Checks the precondition against a resource, or against its absence. The error contains the current state, so
    /// call this only if the viewer may see the resource.
    func check<Value: Resource>(_ resource: Value?) throws(RequestError) {
        guard ifMatch != nil || ifNoneMatch != nil else { return }
        // The validator is a second accepted number: clients may build an ETag from the version.
        let numbers = resource.map { [$0.version, $0.validator] } ?? []
        guard admits(numbers) else { throw Self.failure(of: resource) }
    }

    /// Checks the precondition of a `PUT`. A different value replaces the resource only if `If-Match` names its
    /// version, so a late request cannot overwrite newer data.
    func checkReplacement<Value: Resource>(of old: Value?, by new: Value) throws(RequestError) {
        try check(old)
        guard let old, ifMatch == nil, new.difference(from: old) != nil else { return }
        throw .taken(
            .versionRequired, "The stored resource differs: see current. To replace it, send its ETag as If-Match.",
            CurrentResourceState(of: old)
        )
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private static func failure<Value: Resource>(of resource: Value?) -> RequestError {
        .preconditionFailed(resource.map { CurrentResourceState(of: $0) })
    }

    private func admits(_ numbers: [Int64]) -> Bool {
        if let ifMatch, !numbers.contains(where: ifMatch.contains) { return false }
        if let ifNoneMatch, numbers.contains(where: ifNoneMatch.contains) { return false }
        return true
    }
}
