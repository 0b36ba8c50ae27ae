import Model

/// The stored words of books and notes against the texts that they come of.
///
/// Stored words and asked ones must come of one fold, or a search finds less than a watched one. So which fold the database
/// has is kept in `meta` (a migration that keeps words otherwise deletes it), and after an upgrade all is folded anew before
/// anything is served: in one transaction, so that a start that is cut off begins again, and touching only the rows that
/// become others.
enum SearchIndex {
    /// What was folded anew.
    struct Renewal: Equatable, CustomStringConvertible {
        /// Books whose words became others.
        var books = 0
        /// Notes whose words became others.
        var notes = 0

        var description: String {
            "the search index was renewed for this version: \(books) books and \(notes) notes have other words"
        }
    }

    /// Brings the index to this program's fold; nil when it is there already.
    static func renew(_ connection: Connection) throws(SQLiteError) -> Renewal? {
        guard try connection.number("SELECT value FROM meta WHERE name = 'fold'") != SearchFold.version else {
            return nil
        }
        try connection.run("BEGIN IMMEDIATE")
        do {
            let renewal = Renewal(
                books: try walkBooks(connection, renewing: true), notes: try walkNotes(connection, renewing: true))
            try connection.statement("INSERT OR REPLACE INTO meta (name, value) VALUES ('fold', ?1)")
                .bind(1, SearchFold.version).run()
            try connection.run("COMMIT")
            return renewal
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            connection.knownWords.forget()
            throw error
        }
    }

    /// What a check says of words that are not those of their texts.
    static func findings(_ connection: Connection) throws(SQLiteError) -> [String] {
        guard try connection.number("SELECT value FROM meta WHERE name = 'fold'") == SearchFold.version else {
            return []
        }
        let books = try walkBooks(connection, renewing: false)
        let notes = try walkNotes(connection, renewing: false)
        return try (books == 0 ? [] : ["search index: \(books) books have other words than their titles and authors"])
            + WordTable.findings(connection)
            + (notes == 0 ? [] : ["search index: \(notes) notes have other words than their texts"])
    }

    private static let books = SQL(
        """
        SELECT \(BookTable.rows.columns), sort_title, sort_author, books_words.title, books_words.authors, books_words.language,
            \(BookIndex.place)
        FROM books LEFT JOIN books_words ON books_words.rowid = \(BookIndex.place)
        WHERE books.key > ?1 ORDER BY books.key LIMIT 1000
        """)

    private static func walkBooks(_ connection: Connection, renewing: Bool) throws(SQLiteError) -> Int {
        try walk(renewing: renewing) { key throws(SQLiteError) in
            try connection.statement(books).bind(1, key).all { row in
                let (book, stored) = (BookTable.row(row), BookTable.rows.width)
                let texts = [book.sortTitle, book.sortAuthor].map { Array($0.utf8) } + BookWords(of: book).columns
                let place = row.integer(stored + Int32(texts.count))
                let isStale = texts.indices.contains { row.bytes(stored + Int32($0)) != texts[$0] }
                return (book.key, isStale ? (place, texts) : nil)
            }
        } write: { key, words throws(SQLiteError) in
            let (place, texts) = words
            try connection.statement("UPDATE books SET sort_title = ?1, sort_author = ?2 WHERE key = ?3")
                .bind(1, text: texts[0]).bind(2, text: texts[1]).bind(3, key).run()
            try BookIndex.insert(Array(texts[2...]), at: place, in: connection)
        }
    }

    private static func walkNotes(_ connection: Connection, renewing: Bool) throws(SQLiteError) -> Int {
        try walk(renewing: renewing) { key throws(SQLiteError) in
            try connection.statement(
                """
                SELECT key, notes.body, notes_words.body, author, club FROM notes LEFT JOIN notes_words ON notes_words.rowid = key
                WHERE key > ?1 AND notes.body IS NOT NULL ORDER BY key LIMIT 1000
                """
            ).bind(1, key).all { row in
                let words = NoteTable.words(of: row.text(1), author: row.integer(3), club: row.optionalInteger(4))
                return (row.integer(0), row.bytes(2) == words ? nil : (row.integer(0), [words]))
            }
        } write: { key, words throws(SQLiteError) in
            try connection.statement("INSERT OR REPLACE INTO notes_words (body, rowid) VALUES (?1, ?2)")
                .bind(1, text: words.texts[0]).bind(2, key).run()
        }
    }

    /// Of a row, and where they lie in the index.
    private typealias Words = (place: Int64, texts: [[UInt8]])

    /// Walks a table in steps, so that memory does not grow with it, and writes what is given for a row. For how many rows.
    private static func walk(
        renewing: Bool, next: (Int64) throws(SQLiteError) -> [(key: Int64, words: Words?)],
        write: (Int64, Words) throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> Int {
        var last: Int64 = 0
        var count = 0
        while true {
            let rows = try next(last)
            guard let end = rows.last else { return count }
            last = end.key
            for case (let key, let words?) in rows {
                if renewing { try write(key, words) }
                count += 1
            }
        }
    }
}
