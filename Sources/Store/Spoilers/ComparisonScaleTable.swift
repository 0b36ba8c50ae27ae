import Model

/// The table of scales (see `ComparisonScale`). A scale gets its row with the first amount in it.
enum ComparisonScaleTable {
    static func key(of scale: ComparisonScale, ofBook book: Int64, in connection: SQLiteConnection) throws(SQLiteError)
        -> Int64?
    {
        try connection.statement("SELECT key FROM scales WHERE book = ?1 AND name = ?2").bind(book, scale.description)
            .number()
    }

    static func find(key: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> ComparisonScale? {
        try connection.statement("SELECT name FROM scales WHERE key = ?1").bind(key).first {
            ComparisonScale($0.text(0))
        }
            ?? nil
    }

    static func nextKey(in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.number("SELECT ifnull(max(key), 0) + 1 FROM scales") ?? 1
    }

    /// Returns the last revision of a book's chapters with an amount in it, or 0.
    static func lastRevisionOfChapters(ofBook book: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Int64
    {
        let names = try connection.statement("SELECT name FROM scales WHERE book = ?1").bind(book).all { $0.text(0) }
        return names.compactMap { name in
            if case .chapters(let revision)? = ComparisonScale(name) { revision } else { nil }
        }.max() ?? 0
    }

    /// Returns the change that stores the row of a scale with its first amount.
    static func insertion(_ scale: ComparisonScale, key: Int64, ofBook book: Int64) -> UnloggedWrite {
        UnloggedWrite("INSERT INTO scales (key, book, name) VALUES (?1, ?2, ?3)", key, book, scale.description)
    }

    /// Deletes the scales of a deleted book, and the marks in them.
    static func delete(ofBook book: Int64, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement("DELETE FROM marks WHERE book = ?1").bind(book).run()
        try connection.statement("DELETE FROM scales WHERE book = ?1").bind(book).run()
    }
}
