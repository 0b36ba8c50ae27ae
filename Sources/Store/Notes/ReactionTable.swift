import Model

/// Who reacted to which note, and how. A note shows only the counts, which it keeps.
enum ReactionTable {
    static func exists(
        _ reaction: Reaction, note: Int64, reader: Int64, in connection: Connection
    ) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM reactions WHERE note = ?1 AND reader = ?2 AND reaction = ?3")
            .bind(1, note).bind(2, reader).bind(3, reaction.rawValue).first { _ in true } ?? false
    }

    /// Notes that a reader has a reaction, or has it no longer.
    static func set(
        _ reaction: Reaction, _ isThere: Bool, note: Int64, reader: Int64, in connection: Connection
    ) throws(SQLiteError) {
        let statement =
            isThere
            ? try connection.statement("INSERT INTO reactions (note, reader, reaction) VALUES (?1, ?2, ?3)")
            : try connection.statement("DELETE FROM reactions WHERE note = ?1 AND reader = ?2 AND reaction = ?3")
        try statement.bind(1, note).bind(2, reader).bind(3, reaction.rawValue).run()
    }
}
