public import JSON

/// What a change did. The raw values are stored.
public enum ChangeOperation: UInt8, Sendable {
    case created = 1
    case updated = 2
    case deleted = 3
    /// It was there; one reader has come to see it.
    case unlocked = 4
    /// Nothing of it changed: what it stands beside did, so that a window of a list shows it now, or does no longer. Never
    /// stored.
    case moved = 5
    /// It is there; one reader is not shown it any more. The log keeps it as `unlocked`, and says in the row which it is.
    case hidden = 6
    /// The same, because its threshold was raised.
    case raised = 7
    /// The same, because what reached its threshold was undone.
    case undone = 8

    /// As the log keeps it.
    public var stored: ChangeOperation { isGoing ? .unlocked : self }

    /// Whether it says only who sees what is there: a row of the log that does names notes, and is no change of any of them.
    public var isOfSight: Bool { self == .unlocked || isGoing }

    /// Whether it says that somebody sees it no more.
    public var isGoing: Bool { self == .hidden || self == .raised || self == .undone }

    /// The name that events use.
    public var name: StaticString {
        switch self {
        case .created: "created"
        case .updated: "updated"
        case .deleted: "deleted"
        case .unlocked: "unlocked"
        case .moved: "moved"
        case .hidden, .raised, .undone: "hidden"
        }
    }
}

/// One row of the change log: what one commit did to one resource.
public struct Change: Sendable {
    /// Its place in the log; grows by commit order and is never reused.
    public let seq: Int64
    /// Shared by the changes of one command, which are contiguous.
    public let transaction: Int64
    /// When it was committed.
    public let at: Instant
    /// The kind of resource.
    public let kind: ResourceKind
    /// The resource.
    public let id: ResourceID
    /// Who may see it.
    public let scope: Scope
    /// What happened.
    public let operation: ChangeOperation
    /// The fields that an update changed; empty otherwise.
    public let changed: FieldSet
    /// The new representation; nil for a deletion.
    public let value: [UInt8]?
    /// What was before: of an update the replaced members, of a deletion, and of what is hidden, the whole last representation.
    public let before: [UInt8]?
    /// The key of its row, by which lists break ties; 0 where that is not known, as in the log.
    public let key: Int64
    /// The same as `value` without what of it is told nobody any more; nil where all of it may be told.
    public var shown: [UInt8]?

    /// A change with all that it says.
    public init(
        seq: Int64, transaction: Int64, at: Instant, kind: ResourceKind, id: ResourceID, scope: Scope,
        operation: ChangeOperation, changed: FieldSet, value: [UInt8]?, before: [UInt8]?, key: Int64 = 0
    ) {
        self.seq = seq
        self.transaction = transaction
        self.at = at
        self.kind = kind
        self.id = id
        self.scope = scope
        self.operation = operation
        self.changed = changed
        self.value = value
        self.before = before
        self.key = key
    }

    /// The same change as one of these fields, too.
    public func adding(_ changed: FieldSet) -> Change {
        var change = Change(
            seq: seq, transaction: transaction, at: at, kind: kind, id: id, scope: scope, operation: operation,
            changed: self.changed.union(changed), value: value, before: before, key: key)
        change.shown = shown
        return change
    }

    /// Whether who is told of it depends on how far they have read.
    public var isGated: Bool {
        kind == .note && scope.club != nil && scope.reader == 0 && !operation.isOfSight
    }

    /// Writes the change as events and `/v1/changes` show it: what was before stays in the house.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.name("seq")
        json.integer(seq)
        json.name("transaction")
        json.integer(transaction)
        json.name("at")
        json.instant(at)
        json.name("resource")
        json.string(kind.name)
        json.name("id")
        json.id(id)
        json.name("change")
        json.string(ascii: operation.name)
        if operation == .updated {
            json.name("changed")
            json.beginArray()
            let names = kind.fieldNames
            for index in changed.indices { json.string(ascii: names[index]) }
            json.endArray()
        }
        if let value = shown ?? value {
            json.name("value")
            json.raw(value)
        }
        json.endObject()
    }

    /// What `write(to:)` writes.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 256 + (value?.count ?? 0))
        write(to: &json)
        return json.bytes
    }
}

/// The changes that one commit made durable, in the order of their `seq`; shared by all who look at them.
public final class Commit: Sendable {
    public let changes: [Change]
    /// What became of streams, each between two changes, in that order.
    public let notices: [StreamNotice]
    /// The `seq` of the last change, or of the last one before them.
    public let head: Int64

    /// The commit of these changes, which must not be empty.
    public convenience init(changes: [Change]) {
        self.init(changes: changes, notices: [], head: changes[changes.count - 1].seq)
    }

    public init(changes: [Change], notices: [StreamNotice], head: Int64) {
        (self.changes, self.notices, self.head) = (changes, notices, head)
    }
}
