package import Model

/// A wish to change something: what it needs, and what it decides. It reads, checks rights and rules, and proposes; the
/// store applies. Decided on the writer thread, inside the transaction that will hold its changes.
package protocol Command: Sendable {
    /// The proposals, or why there are none.
    func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision
}

/// What a command may read: the state that its proposals will change.
package struct WriteState: ~Copyable {
    let connection: Connection
    let recentReadings: RecentReadings
    /// See `StoreConfiguration.isCatalogueOpen`.
    let isCatalogueOpen: Bool

    init(_ connection: Connection, _ recentReadings: RecentReadings, isCatalogueOpen: Bool) {
        self.connection = connection
        self.recentReadings = recentReadings
        self.isCatalogueOpen = isCatalogueOpen
    }

    /// The result of a query, with SQLite's errors as the house's.
    func query<Result>(_ body: (Connection) throws(SQLiteError) -> Result) throws(LecternError) -> Result {
        do throws(SQLiteError) { return try body(connection) } catch { throw error.asLecternError }
    }
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
        guard admits(resource?.version) else { throw .preconditionFailed(resource.map { CurrentState(of: $0) }) }
    }

    private func admits(_ version: Int64?) -> Bool {
        if let ifMatch, !(version.map(ifMatch.contains) ?? false) { return false }
        if let ifNoneMatch, version.map(ifNoneMatch.contains) ?? false { return false }
        return true
    }
}
