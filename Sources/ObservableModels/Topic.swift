package import Model

/// What a subscription listens to.
package enum Topic: Hashable, Sendable {
    /// One resource.
    case resource(ResourceKind, ResourceID)
    /// All resources of a kind with a scope.
    case list(ResourceKind, Scope)
    /// Every change with a scope.
    case feed(Scope)

    /// What a feed listens to for a club of its reader's.
    package static func feeds(ofClub club: Int64, for viewer: Viewer, moderates: Bool) -> [Topic] {
        [.feed(.club(key: club)), .feed(.club(key: club, only: viewer.readerKey))]
            + (moderates ? [.feed(.moderators(ofClub: club))] : [])
    }

    /// Those that a change belongs to.
    static func all(of change: Change) -> [Topic] {
        [.resource(change.kind, change.id), .list(change.kind, change.scope), .feed(change.scope)]
    }

    /// Whether a change belongs to it.
    func has(_ change: Change) -> Bool {
        switch self {
        case .resource(let kind, let id): change.kind == kind && change.id == id
        case .list(let kind, let scope): change.kind == kind && change.scope == scope
        case .feed(let scope): change.scope == scope && change.kind != .card
        }
    }
}

/// Which members of a list a subscription wants.
package enum ListFilter: Sendable {
    case all
    case books(BookFilter)
    /// Readings, or their cards.
    case readings(ReadingFilter)
    /// Those that name a certain resource in a member.
    case having(String, ResourceID)
    /// Standings in a club's current book.
    case current
}
