public import Model

/// What a subscription listens to.
public enum Topic: Hashable, Sendable {
    /// One resource.
    case resource(ResourceKind, ResourceID)
    /// All resources of a kind with a scope.
    case list(ResourceKind, Scope)
    /// Every change with a scope.
    case feed(Scope)

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
public enum ListFilter: Sendable {
    case all
    case books(BookFilter)
    /// Readings, or their cards.
    case readings(ReadingFilter)
    /// Notes of a club, on this book only where one is given.
    case notes(book: ResourceID?)
}
