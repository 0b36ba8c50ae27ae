import Model

/// The table of books, and the index of their words.
enum BookTable: ExportedTable {
    static let rows = TableMapping<Book>("books")

    static func scope(of row: Book) -> ChangeScope { .everyone }

    static let endings: [ResourceEnding] = []

    /// Returns a Boolean value indicating whether a reader added a book and no other reader uses it: see `BookUseCondition`.
    static func isOnly(of reader: Int64, book: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.statement(StoredTable.onlyUseOfBook).bind(book, reader).hasRow()
    }

    /// Returns a Boolean value indicating whether any reader uses a book.
    static func isInUse(_ book: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.statement(StoredTable.useOfBook).bind(book).hasRow()
    }

    static func insert(_ book: Book, in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        let key = try rows.insert(book, in: connection)
        try BookWordIndex.insert(
            book.searchColumns, at: BookWordIndex.place(key: key, readerClass: 0), in: connection)
        return key
    }

    static func update(_ book: Book, changed: FieldSet, in connection: SQLiteConnection) throws(SQLiteError) {
        try rows.update(book, changed: changed, in: connection)
        if !changed.isDisjoint(with: Book.fieldsOfSearch) { try BookWordIndex.update(book, in: connection) }
    }

    static func delete(_ book: Book, in connection: SQLiteConnection) throws(SQLiteError) {
        // Only rows of deleted notes can remain: an existing note prevents the deletion.
        try connection.statement("DELETE FROM notes WHERE book = ?1 AND body IS NULL AND club IS NULL").bind(book.key)
            .run()
        try connection.statement("DELETE FROM covers WHERE book = ?1").bind(book.key).run()
        try BookWordIndex.delete(book.key, in: connection)
        try ComparisonScaleTable.delete(ofBook: book.key, in: connection)
        try rows.delete(book, in: connection)
    }

    static func stamp(_ book: inout Book, over old: Book?, _ seq: Int64) {
        book.version = seq
        let changed = old.flatMap { book.difference(from: $0) }?.changed ?? []
        if old == nil || !changed.isDisjoint(with: Book.fieldsOfCard) { book.cardVersion = seq }
    }
}
