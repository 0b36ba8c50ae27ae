import Model

/// The table of reactions. A note shows only the counts, which its row contains.
enum NoteReactionTable {
    static func exists(
        _ reaction: NoteReaction, note: Int64, reader: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM reactions WHERE note = ?1 AND reader = ?2 AND reaction = ?3")
            .bind(note, reader, reaction.rawValue).hasRow()
    }

    /// Returns the change that adds or removes a reader's reaction. The note's counts are changed separately.
    static func setting(_ reaction: NoteReaction, _ isThere: Bool, note: Int64, reader: Int64) -> UnloggedWrite {
        UnloggedWrite(
            isThere
                ? "INSERT INTO reactions (note, reader, reaction) VALUES (?1, ?2, ?3)"
                : "DELETE FROM reactions WHERE note = ?1 AND reader = ?2 AND reaction = ?3", note, reader,
            reaction.rawValue)
    }
}
