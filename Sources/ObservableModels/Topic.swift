package import Model

/// What can be watched: what an `ObservableModel` is of.
package enum Topic: Hashable, Sendable {
    /// One resource.
    case resource(ResourceKind, ResourceID)
    /// All resources of a kind with a scope.
    case list(ResourceKind, Scope)
    /// Those of them that a filter lets through.
    indirect case filtered(ResourceKind, Scope, ListFilter)
    /// The first of them in an order.
    indirect case window(ResourceKind, Scope, WindowShape)
    /// All resources of a kind, whosever they are: for a view, which shows no more of them than its reader may see.
    case every(ResourceKind)
    /// Every change with a scope.
    case feed(Scope)
    /// Who of a club, by its key, reads now: no change of the log tells of it, so who knows says `renew`.
    case presence(Int64)
    /// That it is another day where its reader lives: who looks at the clock says `renew`.
    case day

    /// What a feed listens to for a club of its reader's.
    package static func feeds(ofClub club: Int64, for viewer: Viewer, moderates: Bool) -> [Topic] {
        [.feed(.club(key: club)), .feed(.club(key: club, only: viewer.readerKey))]
            + [.feed(moderates ? .moderators(ofClub: club) : .plainMembers(ofClub: club))]
    }

    /// Those that a change of the log belongs to.
    static func all(of change: Change) -> [Topic] {
        [.resource(change.kind, change.id)] + lists(of: change)
    }

    /// Those of many things that a change belongs to.
    static func lists(of change: Change) -> [Topic] {
        [.list(change.kind, change.scope), .every(change.kind), .feed(change.scope)]
    }

    /// Whether a change belongs to it.
    package func has(_ change: Change) -> Bool {
        switch self {
        case .resource(let kind, let id): change.kind == kind && change.id == id
        case .list(let kind, let scope), .filtered(let kind, let scope, _):
            change.kind == kind && change.scope == scope
        case .window(_, _, let shape): parts(of: shape).contains { $0.has(change) }
        case .every(let kind): change.kind == kind
        case .feed(let scope): change.scope == scope
        case .presence, .day: false
        }
    }

    /// The kind of what it is of; nil for a feed.
    var kind: ResourceKind? {
        switch self {
        case .resource(let kind, _), .list(let kind, _), .filtered(let kind, _, _), .window(let kind, _, _),
            .every(let kind):
            kind
        case .feed, .presence, .day: nil
        }
    }

    /// Whether it is one resource of a kind.
    func isOne(of kind: ResourceKind) -> Bool { if case .resource(kind, _) = self { true } else { false } }

    /// The same of what a filter lets through, where it is a list's.
    func filtered(by filter: ListFilter?) -> Topic {
        guard let filter, case .list(let kind, let scope) = self else { return self }
        return .filtered(kind, scope, filter)
    }

    /// The whole lists of which it is a part; itself for all else.
    var unfiltered: [Topic] {
        switch self {
        case .filtered(let kind, let scope, _): [.list(kind, scope)]
        case .window(_, _, let shape): parts(of: shape)
        default: [self]
        }
    }

    package var shape: WindowShape? { if case .window(_, _, let shape) = self { shape } else { nil } }

    /// The lists of which a window shows the first.
    private func parts(of shape: WindowShape) -> [Topic] {
        guard case .window(let kind, let scope, _) = self else { return [] }
        guard let reader = shape.reader, let club = scope.club else { return [.list(kind, scope)] }
        return [.list(kind, scope), .list(kind, .club(key: club, only: reader))]
    }
}
