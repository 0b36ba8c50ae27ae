import Model

/// The table of progress entries. An entry's key is the change that created it, and also its version unless its note
/// has changed since.
enum EntryTable: ExportedTable {
    static let rows = TableMapping<Entry>(
        "entries", key: .version, version: "key",
        changed: "changed", times: .none)

    static func scope(of row: Entry) -> ChangeScope { .reader(key: row.readerKey) }

    /// Returns the entry that took place last, and among equal times the one that was received last, leaving one out.
    static func latest(
        of reading: Int64, except key: Int64 = 0, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Entry? {
        try matching(
            """
            entries.reading = ?1 AND entries.key <> ?2 ORDER BY entries.happened_at DESC, entries.key DESC LIMIT 1
            """, in: connection
        ).bind(reading, key).first(row)
    }

    static let endings = [
        ending(of: .club, where: "entries.note_id IN (\(NoteTable.idsOfClub))", withoutNote),
        ending(of: .note, where: "entries.note_id = (SELECT id FROM notes WHERE key = ?1)", withoutNote),
    ]

    private static func withoutNote(_ entry: Entry) -> [any CommandChange] { [update(of: entry) { $0.show(nil) }] }

    /// Writes the entry's note, which is all that can change of an entry.
    static func update(_ entry: Entry, changed: FieldSet, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement(
            "UPDATE entries SET changed = ?2, note_id = ?3, note = CASE WHEN ?3 IS NULL THEN note END WHERE id = ?1"
        ).bind(entry.id, entry.version, entry.noteID).run()
    }

    /// Deletes an entry by its id, by which the table is clustered.
    static func delete(_ entry: Entry, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement("DELETE FROM entries WHERE id = ?1").bind(entry.id).run()
    }
}
