public import JSON

/// The kind of a change. The raw values are stored, and SQL compares them: those from 4 concern only visibility.
public enum ChangeOperation: UInt8, Sendable {
    case created = 1
    case updated = 2
    case deleted = 3
    /// One reader now sees a resource that existed before.
    case unlocked = 4
    /// One reader no longer sees a resource that still exists.
    case hidden = 5
    /// Like `hidden`, because the threshold was raised.
    case raised = 6
    /// Like `hidden`, because the entry that reached the threshold was undone.
    case undone = 7
    /// A resource enters or leaves a window, because its neighbours in the list changed. The resource itself did not
    /// change. Never stored.
    case moved = 8

    /// A Boolean value indicating whether only the visibility to one reader changed. A row of the log with such an
    /// operation names the affected notes, whose content did not change.
    public var isVisibilityChange: Bool { self == .unlocked || isHiding }

    /// A Boolean value indicating whether a reader no longer sees the resource.
    public var isHiding: Bool { self == .hidden || self == .raised || self == .undone }

    /// The name in events.
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

/// One row of the change log: the effect of one commit on one resource.
public struct Change: Sendable {
    /// The sequence number in the log. It grows in commit order and is never reused.
    public let seq: Int64
    /// The number that the changes of one command share. They are contiguous.
    public let transaction: Int64
    /// The time of the commit.
    public let at: Instant
    /// The kind of the resource.
    public let kind: ResourceKind
    /// The id of the resource.
    public let id: ResourceID
    /// The scope: the readers who may see the change.
    public let scope: ChangeScope
    /// The kind of change.
    public let operation: ChangeOperation
    /// The fields that an update changed; empty otherwise.
    public let changed: FieldSet
    /// The new representation, or `nil` for a deletion.
    public let value: [UInt8]?
    /// The state before the change: the replaced members for an update, the whole last representation if it was deleted
    /// or hidden.
    public let before: [UInt8]?
    /// The database key of the changed resource, by which lists break ties. 0 where it is unknown, as for changes read
    /// from the log.
    public let key: Int64
    /// The `value` without parts that are no longer sent to anybody, or `nil` if all of it may be sent.
    public var shown: [UInt8]?
    /// A Boolean value indicating whether a reader gets the change from the log, later than others.
    public var isReplayed = false
    /// A Boolean value indicating whether the words of a note may have been hidden from the reader since: a search must
    /// not show what they were.
    var hidesWords: Bool { isReplayed && kind == .note && (shown != nil || value == nil) }

    /// Creates a change.
    public init(
        seq: Int64, transaction: Int64, at: Instant, kind: ResourceKind, id: ResourceID, scope: ChangeScope,
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

    /// A Boolean value indicating whether delivery depends on how far a reader has read.
    public var isGated: Bool {
        kind == .note && scope.club != nil && scope.reader == 0 && !operation.isVisibilityChange
    }

    /// Writes the change as events and `/v1/changes` show it, without the state before.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("seq", seq)
            json.member("transaction", transaction)
            json.member("at", at)
            json.member("resource", kind.name)
            json.member("id", id)
            json.member("change", ascii: operation.name)
            if operation == .updated {
                let names = kind.fieldNames
                json.array("changed", changed.indices) { $1.string(ascii: names[$0]) }
            }
            if let value = shown ?? value { json.member("value", raw: value) }
        }
    }

    /// Returns the output of `write(to:)`.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 256 + (value?.count ?? 0))
        write(to: &json)
        return json.bytes
    }
}

/// The changes that one commit made durable, ordered by `seq`. Shared by all event loops.
public final class Commit: Sendable {
    public let changes: [Change]
    /// The changes of streams in this commit, in order. Each names the change of the log after which it comes.
    public let streamChanges: [StreamRowChange]
    /// The `seq` of the log's last change after this commit: an older one if the commit changed only streams.
    public let head: Int64

    public init(changes: [Change], streamChanges: [StreamRowChange], head: Int64) {
        (self.changes, self.streamChanges, self.head) = (changes, streamChanges, head)
    }
}
