import JSON
import Model

/// Rows of the log as they are told again: what a note was is told as far as it may be by now.
///
/// One that names nobody names nobody in what it was before either, and of one that is deleted nothing is told of what it said. The
/// rows stay what they are, which says what each change did; so that who goes on from anywhere in the log ends up with what
/// there is.
enum LogRow {
    private static let nobody = "json_remove(json_replace(value, '$.author', '\(ResourceID.zero)'), '$.authorName')"
    private static let value = "CASE WHEN said.is_nameless = 1 THEN \(nobody) ELSE changes.value END"

    /// Columns for `change`.
    static let columns = """
        changes.seq, changes.command, changes.at, changes.kind, changes.resource, changes.scope, changes.operation,
        \(value), changes.before, changes.reader, said.is_nameless = 1,
        CASE WHEN said.key IS NOT NULL AND said.body IS NULL THEN json_remove(json_replace(\(value),
            '$.body', ''), '$.position', '$.quote', '$.language') END
        """

    /// What these are read from, beside `changes`. Nothing is looked for that is of no note.
    static let joins = """
        LEFT JOIN notes AS said
            ON said.id = CASE changes.kind WHEN \(ResourceKind.note.rawValue) THEN changes.resource END
        """

    static func change(_ row: Statement) -> Change {
        let kind = ResourceKind(rawValue: UInt8(truncatingIfNeeded: row.integer(3))) ?? .book
        var operation = ChangeOperation(rawValue: UInt8(truncatingIfNeeded: row.integer(6))) ?? .updated
        let (value, before) = (row.bytes(7), row.bytes(8))
        if operation == .unlocked { operation = Unlock.operation(of: value) }
        var changed = operation == .updated ? fields(of: kind, replacedBy: before) : []
        if row.integer(10) == 1, changed.isDisjoint(with: author) { changed.subtract(authorName) }
        var change = Change(
            seq: row.integer(0), transaction: row.integer(1), at: row.instant(2), kind: kind, id: row.id(4),
            scope: Scope(number: row.integer(5), reader: row.integer(9)), operation: operation,
            changed: changed, value: value, before: before)
        change.shown = row.bytes(11)
        return change
    }

    private static let author = Note.fields["author"]
    private static let authorName = Note.fields["authorName"]

    /// Whether there is nothing to be told of a row: that somebody was called otherwise, who is not named any more.
    static func isEmpty(_ change: Change) -> Bool {
        change.kind == .note && change.operation == .updated && change.changed.isEmpty
    }

    /// The fields that an update changed are those whose old values it kept.
    private static func fields(of kind: ResourceKind, replacedBy before: [UInt8]?) -> FieldSet {
        guard let before, let representation = Representation(before) else { return [] }
        var fields = FieldSet()
        for (index, name) in kind.fieldNames.enumerated() where representation.replaces(name.description) {
            fields.insert(FieldSet(index: index))
        }
        return fields
    }

    /// What a note was, as far as that is told by now.
    static func told(_ value: [UInt8], of note: Note) throws(LecternError) -> [UInt8] {
        guard note.isNameless else { return value }
        guard let nameless = Note.nameless(value) else {
            throw .internalError("what note \(note.id) was cannot be read")
        }
        return nameless
    }

    /// The same without what it said, where it is deleted; nil where it is not.
    static func shown(_ value: [UInt8], of note: Note) throws(LecternError) -> [UInt8]? {
        guard note.text == nil else { return nil }
        guard let wordless = Note.wordless(value) else {
            throw .internalError("what note \(note.id) was cannot be read")
        }
        return wordless
    }
}
