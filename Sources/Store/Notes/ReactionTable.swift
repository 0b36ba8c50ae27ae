import Model

/// The table of reactions. A note shows only the counts, which its row contains.
enum ReactionTable {
    static func exists(
        _ reaction: NoteReaction, note: Int64, reader: Int64, in connection: Connection
    ) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM reactions WHERE note = ?1 AND reader = ?2 AND reaction = ?3")
            .bind(1, note).bind(2, reader).bind(3, reaction.rawValue).first { _ in true } ?? false
    }

    /// Adds or removes a reader's reaction.
    static func set(
        _ reaction: NoteReaction, _ isThere: Bool, note: Int64, reader: Int64, in connection: Connection
    ) throws(SQLiteError) {
        let statement =
            isThere
            ? try connection.statement("INSERT INTO reactions (note, reader, reaction) VALUES (?1, ?2, ?3)")
            : try connection.statement("DELETE FROM reactions WHERE note = ?1 AND reader = ?2 AND reaction = ?3")
        try statement.bind(1, note).bind(2, reader).bind(3, reaction.rawValue).run()
    }
}
