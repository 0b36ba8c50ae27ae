package import Model

/// Something that can be watched. Each `ObservableModel` has one.
package enum WatchTopic: Hashable, Sendable {
    case resource(ResourceKind, ResourceID)
    /// All resources of a kind with a scope.
    case list(ResourceKind, ChangeScope)
    /// The resources of a list that match a filter.
    indirect case filtered(ResourceKind, ChangeScope, ListFilter)
    /// The first resources of a list, in an order.
    indirect case window(ResourceKind, ChangeScope, WindowShape)
    /// All resources of a kind, of any audience. Only for views, which show what their reader may see.
    case every(ResourceKind)
    /// Every change with a scope.
    case feed(ChangeScope)
    /// The members of a group, by its key, who are present now. This is not in the log, so the presence component calls
    /// `renew`.
    case presence(Int64)
    /// The current day where the reader lives. The component that checks the clock calls `renew`.
    case day

    /// Returns the topics that a change of the log belongs to.
    static func all(of change: Change) -> [WatchTopic] {
        [.resource(change.kind, change.id)] + lists(of: change)
    }

    /// Returns the topics of many resources that a change belongs to.
    static func lists(of change: Change) -> [WatchTopic] {
        [.list(change.kind, change.scope), .every(change.kind), .feed(change.scope)]
    }

    /// Returns whether a change belongs to the topic.
    package func has(_ change: Change) -> Bool {
        switch self {
        case .resource(let kind, let id): change.kind == kind && change.id == id
        case .list(let kind, let scope), .filtered(let kind, let scope, _):
            change.kind == kind && change.scope == scope
        case .window(_, _, let shape): lists(of: shape).contains { $0.has(change) }
        case .every(let kind): change.kind == kind
        case .feed(let scope): change.scope == scope
        case .presence, .day: false
        }
    }

    /// The kind of the resources, or `nil` for a feed, presence or a day.
    var kind: ResourceKind? {
        switch self {
        case .resource(let kind, _), .list(let kind, _), .filtered(let kind, _, _), .window(let kind, _, _),
            .every(let kind):
            kind
        case .feed, .presence, .day: nil
        }
    }

    /// Returns whether the topic is one resource of a kind.
    func isOne(of kind: ResourceKind) -> Bool { if case .resource(kind, _) = self { true } else { false } }

    /// Returns the topic with a filter if it is a list, and else itself.
    func filtered(by filter: ListFilter?) -> WatchTopic {
        guard let filter, case .list(let kind, let scope) = self else { return self }
        return .filtered(kind, scope, filter)
    }

    /// The whole lists that the topic is a selection of, or the topic itself.
    var unfiltered: [WatchTopic] {
        switch self {
        case .filtered(let kind, let scope, _): [.list(kind, scope)]
        case .window(_, _, let shape): lists(of: shape)
        default: [self]
        }
    }

    package var shape: WindowShape? { if case .window(_, _, let shape) = self { shape } else { nil } }

    /// Returns the lists from which a window takes its rows.
    private func lists(of shape: WindowShape) -> [WatchTopic] {
        guard case .window(let kind, let scope, _) = self else { return [] }
        guard let own = shape.reader.flatMap(scope.only) else { return [.list(kind, scope)] }
        return [.list(kind, scope), .list(kind, own)]
    }
}
