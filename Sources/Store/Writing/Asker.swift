package import Model

/// Who asks for a command, when, and with what: the same at each deciding.
package struct Asker: Sendable {
    let viewer: Viewer
    let now: Instant
    /// The id of what the command makes, if it makes something.
    let newID: ResourceID
    /// The id of what is made beside that.
    let otherID: ResourceID
    let precondition: Precondition

    package init(
        _ viewer: Viewer, at now: Instant = .now, newID: ResourceID? = nil, precondition: Precondition = Precondition()
    ) {
        let id = newID ?? ResourceID(madeAt: now)
        self.init(viewer, now, id, ResourceID(high: id.high, low: id.low ^ 1), precondition)
    }

    private init(
        _ viewer: Viewer, _ now: Instant, _ newID: ResourceID, _ otherID: ResourceID, _ precondition: Precondition
    ) {
        (self.viewer, self.now, self.newID, self.otherID, self.precondition) = (
            viewer, now, newID, otherID, precondition
        )
    }

    /// The same, who chose the id of what is made. What is made beside it has the house's: nobody chooses it for others.
    func making(_ id: ResourceID) -> Asker { Asker(viewer, now, id, newID, precondition) }

    /// The same, with the rights of that viewer.
    func seeing(as viewer: Viewer) -> Asker { Asker(viewer, now, newID, otherID, precondition) }

    /// The house itself, for what no reader asks for.
    package static func house(at now: Instant) -> Asker {
        Asker(
            Viewer(
                reader: ResourceID(high: 0, low: 0), readerKey: 0, role: .reader, access: .read, token: nil,
                expiresAt: nil), at: now)
    }

    var reader: (id: ResourceID, key: Int64) { (viewer.reader, viewer.readerKey) }
}

/// A set of versions that a precondition names.
package enum VersionSet: Sendable, Equatable {
    /// `*`: whatever there is.
    case any
    case versions([Int64])

    func contains(_ version: Int64) -> Bool {
        switch self {
        case .any: true
        case .versions(let versions): versions.contains(version)
        }
    }
}

/// `If-Match` and `If-None-Match`, checked against what is there when the command is decided.
package struct Precondition: Sendable {
    /// The resource must be in one of these versions.
    package let ifMatch: VersionSet?
    /// The resource must be in none of these versions.
    package let ifNoneMatch: VersionSet?

    /// A precondition; nil is no condition.
    package init(ifMatch: VersionSet? = nil, ifNoneMatch: VersionSet? = nil) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    /// Throws `preconditionFailed` unless this resource, or that there is none, meets it. What is there is told: so check it
    /// only for who may see it.
    func check<Value: Resource>(_ resource: Value?) throws(LecternError) {
        guard ifMatch != nil || ifNoneMatch != nil else { return }
        // Clients may also build a tag of the version, which is another number as long as nothing has changed.
        let numbers = resource.map { [$0.version, $0.validator] } ?? []
        guard admits(numbers) else { throw Self.failure(of: resource) }
    }

    /// Checks a `PUT`: what is there is replaced by something else only if `If-Match` names its version, so that a request that comes late
    /// overwrites nothing.
    func checkReplacement<Value: Resource>(of old: Value?, by new: Value) throws(LecternError) {
        try check(old)
        guard let old, ifMatch == nil, new.difference(from: old) != nil else { return }
        throw .versionRequired(
            "This differs from what is there: see current. If-Match with its ETag replaces it.", CurrentState(of: old))
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private static func failure<Value: Resource>(of resource: Value?) -> LecternError {
        .preconditionFailed(resource.map { CurrentState(of: $0) })
    }

    private func admits(_ numbers: [Int64]) -> Bool {
        if let ifMatch, !numbers.contains(where: ifMatch.contains) { return false }
        if let ifNoneMatch, numbers.contains(where: ifNoneMatch.contains) { return false }
        return true
    }
}

extension LecternError {
    /// A `PUT` of something else than is there, without the version that it replaces. Only for who may see what is there.
    static func versionRequired(_ why: String, _ current: CurrentState) -> LecternError {
        .taken(.versionRequired, why, current)
    }
}
