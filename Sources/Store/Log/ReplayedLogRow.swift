import JSON
import Model

/// The rows of the log as replays send them: earlier values of a note contain only what may still be shown.
///
/// If a note no longer names its author, its earlier values do not either. The earlier values of a note that was deleted,
/// or that the reader cannot see any more, have no words. The stored rows do not change and still say what each change
/// did, so a replay from any position ends with the current state.
enum ReplayedLogRow {
    private static let nobody = "json_remove(json_replace(value, '$.author', '\(ResourceID.zero)'), '$.authorName')"
    private static let value = "CASE WHEN said.is_nameless = 1 THEN \(nobody) ELSE changes.value END"

    /// The condition that the reader `?1` may see the words of the note now.
    private static let isShown = """
        (said.body IS NOT NULL AND (said.club IS NULL
            OR EXISTS (SELECT 1 FROM notes WHERE notes.key = said.key AND \(NoteVisibilitySQL.isVisibleToMember()))))
        """

    /// The columns that `change(_:)` reads, for the reader `?1`.
    static let columns = """
        changes.seq, changes.command, changes.at, changes.kind, changes.resource, changes.scope, changes.operation,
        \(value), changes.before, changes.reader, said.is_nameless = 1,
        CASE WHEN changes.kind = \(ResourceKind.note.rawValue) AND changes.operation < 4 AND NOT \(isShown) THEN json_remove(json_replace(\(value),
            '$.body', ''), '$.position', '$.quote', '$.language') END
        """

    /// The tables that are joined to `changes`. Rows that concern no note need no lookup.
    static let joins = """
        LEFT JOIN notes AS said
            ON said.id = CASE changes.kind WHEN \(ResourceKind.note.rawValue) THEN changes.resource END
        """

    static func change(_ row: SQLiteStatement) throws(SQLiteError) -> Change {
        let kind: ResourceKind = try row.choice(3, "changes.kind", key: row.integer(0))
        let operation: ChangeOperation = try row.choice(6, "changes.operation", key: row.integer(0))
        let (seq, id) = (row.integer(0), row.id(4))
        let value = try row.logged(7, "value", seq: seq, id: id)
        let before = try row.logged(8, "before", seq: seq, id: id)
        var changed = operation == .updated ? fields(of: kind, replacedBy: before) : []
        if row.integer(10) == 1, changed.isDisjoint(with: author) { changed.subtract(authorName) }
        var change = Change(
            seq: seq, transaction: row.integer(1), at: row.instant(2), kind: kind, id: id,
            scope: ChangeScope(number: row.integer(5), reader: row.integer(9)), operation: operation,
            changed: changed, value: value, before: before)
        change.shown = row.bytes(11)
        return change
    }

    private static let author = Note.fields["author"]
    private static let authorName = Note.fields["authorName"]

    /// Returns a Boolean value indicating whether a row is not sent, because it only changed an author's name that the
    /// note no longer shows.
    static func isWithheld(_ change: Change) -> Bool {
        change.kind == .note && change.operation == .updated && change.changed.isEmpty
    }

    /// Returns the fields that an update changed, which are those whose old values it stored.
    private static func fields(of kind: ResourceKind, replacedBy before: [UInt8]?) -> FieldSet {
        guard let before, let representation = ResourceRepresentation(before) else { return [] }
        if before == StandingVersions.nothingReplaced { return StandingVersions.fields }
        return representation.replacedFields(of: kind)
    }

    /// Returns an earlier value of a note without its author or its words, which `redact` removes.
    static func redacted(
        _ value: [UInt8], of note: Note, _ redact: ([UInt8]) -> [UInt8]?
    ) throws(RequestError) -> [UInt8] {
        guard let redacted = redact(value) else {
            throw .internalError("cannot read an earlier value of note \(note.id)")
        }
        return redacted
    }
}
