import Model

/// Rows of scales (see `Scale`). A scale gets its row when something is first said in it.
enum ScaleTable {
    static func key(of scale: Scale, ofBook book: Int64, in connection: Connection) throws(SQLiteError) -> Int64? {
        try connection.statement("SELECT key FROM scales WHERE book = ?1 AND name = ?2").bind(1, book)
            .bind(2, scale.description).first { $0.integer(0) }
    }

    static func find(key: Int64, in connection: Connection) throws(SQLiteError) -> Scale? {
        try connection.statement("SELECT name FROM scales WHERE key = ?1").bind(1, key).first { Scale($0.text(0)) }
            ?? nil
    }

    static func nextKey(in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.number("SELECT ifnull(max(key), 0) + 1 FROM scales") ?? 1
    }

    /// The last revision of a book's chapters in which something was said; 0 for none.
    static func lastRevisionOfChapters(ofBook book: Int64, in connection: Connection) throws(SQLiteError) -> Int64 {
        let names = try connection.statement("SELECT name FROM scales WHERE book = ?1").bind(1, book).all { $0.text(0) }
        return names.compactMap { name in
            if case .chapters(let revision)? = Scale(name) { revision } else { nil }
        }.max() ?? 0
    }

    /// Deletes the scales of a book that ends, and the marks in it.
    static func delete(ofBook book: Int64, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM marks WHERE book = ?1").bind(1, book).run()
        try connection.statement("DELETE FROM scales WHERE book = ?1").bind(1, book).run()
    }
}

/// Stores the row of a scale in which something is said for the first time.
struct NewScale: Proposal {
    let key: Int64
    let book: Int64
    let scale: Scale

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try application.connection.statement("INSERT INTO scales (key, book, name) VALUES (?1, ?2, ?3)").bind(1, key)
            .bind(2, book).bind(3, scale.description).run()
        application.noteSilentWrite()
        return nil
    }
}
