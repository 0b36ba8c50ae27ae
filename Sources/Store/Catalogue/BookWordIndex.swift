import Model

/// The index of the words of books. Its rows are in the order of their books' readers, most first, so a search can stop
/// when it has found enough.
enum BookWordIndex {
    /// The bits of a row's key that are the book's key.
    static let keyMask: Int64 = 1 << 40 - 1

    static func place(key: Int64, readerClass: Int64) -> Int64 { (BookPopularityClass.max - readerClass) << 40 | key }

    static func readerClass(ofPlace place: Int64) -> Int64 { BookPopularityClass.max - place >> 40 }

    /// The SQL expression for the index key of a row of `books`.
    static let place = """
        (\(BookPopularityClass.max) - CASE \((1...BookPopularityClass.max).reversed().map {
            "WHEN books.reader_count >= \(BookPopularityClass.readersMin($0)) THEN \($0)"
        }.joined(separator: " ")) ELSE 0 END << 40 | books.key)
        """

    /// The SQL expression for the book's key in a row of `books_words`.
    static let key = "(books_words.rowid & \(keyMask))"

    /// Inserts the words of `Book.searchColumns`.
    static func insert(_ columns: [[UInt8]], at place: Int64, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement(
            "INSERT OR REPLACE INTO books_words (title, authors, language, rowid) VALUES (?1, ?2, ?3, ?4)"
        ).bind(UTF8Text(columns[0]), UTF8Text(columns[1]), UTF8Text(columns[2]), place).run()
        for column in columns.prefix(2) { try WordTable.add(column, in: connection) }
    }

    static func update(_ book: Book, in connection: SQLiteConnection) throws(SQLiteError) {
        let place = try place(ofKey: book.key, in: connection)
        let old = try words(at: place, in: connection)
        try insert(book.searchColumns, at: place, in: connection)
        try WordTable.deleteUnused(old, in: connection)
    }

    static func delete(_ key: Int64, in connection: SQLiteConnection) throws(SQLiteError) {
        let place = try place(ofKey: key, in: connection)
        let old = try words(at: place, in: connection)
        try delete(at: place, in: connection)
        try WordTable.deleteUnused(old, in: connection)
    }

    /// Returns the words of a book's title and authors, separated by spaces.
    private static func words(at place: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [UInt8] {
        try connection.statement("SELECT title || ' ' || authors FROM books_words WHERE rowid = ?1").bind(place)
            .first { $0.bytes(0) ?? [] } ?? []
    }

    private static func delete(at place: Int64, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement("DELETE FROM books_words WHERE rowid = ?1").bind(place).run()
    }

    private static let placeOfKey = SQLText("SELECT \(place) FROM books WHERE key = ?1")

    static func place(ofKey key: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.statement(placeOfKey).bind(key).number() ?? place(key: key, readerClass: 0)
    }

    /// Changes a book's number of readers, and moves its row in the index if necessary.
    static func count(_ difference: Int64, readersOf key: Int64, in connection: SQLiteConnection) throws(SQLiteError) {
        let old = try place(ofKey: key, in: connection)
        try connection.statement("UPDATE books SET reader_count = reader_count + ?2 WHERE key = ?1").bind(
            key, difference
        ).run()
        let new = try place(ofKey: key, in: connection)
        guard new != old, let book = try BookTable.find(key: key, in: connection) else { return }
        try delete(at: old, in: connection)
        try insert(book.searchColumns, at: new, in: connection)
    }
}
