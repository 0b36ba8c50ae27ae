package import Model

/// A kind of resource that has no row: its resources are wholes, each made of parts that have. A model of a whole observes
/// the models of its parts, so that a change of a part is a change of the whole.
package struct Projection: Sendable {
    /// What a whole is made of.
    package struct Part: Sendable {
        let kind: ResourceKind
        /// The fields that the whole shows, which an update must be of; nil when any change of the part is one of the whole.
        let fields: FieldSet?
        /// Who may see the part; nil when it has the whole's scope, and its id.
        let scope: Scope?

        package init(_ kind: ResourceKind, fields: FieldSet? = nil, scope: Scope? = nil) {
            (self.kind, self.fields, self.scope) = (kind, fields, scope)
        }

        /// What a model of the whole observes for this part.
        func topic(of whole: Topic) -> Topic {
            switch (scope, whole) {
            case (nil, .resource(_, let id)): .resource(kind, id)
            case (nil, .list(_, let scope)), (nil, .filtered(_, let scope, _)),
                (nil, .window(_, let scope, _)):
                .list(kind, scope)
            case (let scope?, _): .list(kind, scope)
            case (nil, .every), (nil, .feed), (nil, .presence), (nil, .day): .every(kind)
            }
        }

        func isShown(in change: Change) -> Bool {
            guard change.kind == kind else { return false }
            guard let fields else { return true }
            return change.operation == .updated && !change.changed.isDisjoint(with: fields)
        }
    }

    /// The kind of its wholes.
    package let kind: ResourceKind
    let parts: [Part]
    /// The changes of wholes that a change of a part makes.
    package let changes: @Sendable (Change, Asked, any Parts) throws(LecternError) -> [Change]

    /// A projection whose wholes are those of a type. `wholes` says what each of those that were asked for was before a
    /// change of a part, and is after it.
    init<Whole: Resource>(
        of type: Whole.Type, parts: [Part],
        wholes: @escaping @Sendable (Change, Asked, any Parts) throws(LecternError) -> [Pair<Whole>]
    ) {
        kind = Whole.kind
        self.parts = parts
        changes = { cause, asked, parts throws(LecternError) in
            try wholes(cause, asked, parts).compactMap { $0.change(by: cause) }
        }
    }

    func shows(_ change: Change) -> Bool { parts.contains { $0.isShown(in: change) } }

    /// All that there are. A standing is none, although it follows from an entry, a milestone and what its reader shares: were
    /// it made of them when it is read, what is not shared would have to be hidden in lists, streams, replays and the log,
    /// each time anew. So the writer keeps a row that holds no more than is shared.
    package static let all: [Projection] = [.card]
}

/// The wholes of which somebody wants to know.
package struct Asked: Sendable {
    let topics: Set<Topic>
    /// The only reader whose wholes are wanted; nil for anybody's.
    package let reader: Int64?

    func wants(_ kind: ResourceKind, _ id: ResourceID, _ scope: Scope) -> Bool {
        topics.contains(.list(kind, scope)) || topics.contains(.resource(kind, id))
    }
}

/// A whole before and after a change of one of its parts; nil where it is not there.
struct Pair<Whole: Resource> {
    let scope: Scope
    let before: Whole?
    let after: Whole?

    /// The change of the whole; nil when it looks the same as before.
    func change(by cause: Change) -> Change? {
        guard let id = (after ?? before)?.id else { return nil }
        var after = after
        after?.version = cause.seq
        let operation: ChangeOperation = before == nil ? .created : after == nil ? .deleted : .updated
        var changed = FieldSet()
        var replaced: [UInt8]?
        if let before, let after {
            guard let difference = after.difference(from: before) else { return nil }
            (changed, replaced) = (difference.changed, difference.before)
        } else {
            replaced = before?.encoded()
        }
        return Change(
            seq: cause.seq, transaction: cause.transaction, at: cause.at, kind: Whole.kind, id: id, scope: scope,
            operation: operation, changed: changed, value: after?.encoded(), before: replaced,
            key: key(by: cause))
    }

    /// The key by which lists of the wholes break ties: that of the part with its id, where it is the cause.
    private func key(by cause: Change) -> Int64 {
        guard let whole = after ?? before, whole.key == 0 else { return (after ?? before)?.key ?? 0 }
        return cause.id == whole.id ? cause.key : 0
    }
}
