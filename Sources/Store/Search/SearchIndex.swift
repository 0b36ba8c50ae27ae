import Model

/// The stored words of books and notes and the sort keys of books, and their comparison with the texts.
///
/// Stored and searched words must have the same folding, or a search would find less than a watched one. `meta`
/// contains the folding of the index (a migration that stores words differently deletes it). An index with another
/// folding is renewed while requests are served (`SearchIndexRenewal`). Until it is complete, requests that need it fail
/// (`ReadConnection.demandIndex`).
enum SearchIndex {
    /// Returns a Boolean value indicating whether all words have this program's folding.
    static func isWhole(_ connection: Connection) throws(SQLiteError) -> Bool {
        try connection.number("SELECT value FROM meta WHERE name = 'fold'") == SearchFold.version
    }

    /// Returns a Boolean value indicating whether there are no rows with words.
    static func isEmpty(_ connection: Connection) throws(SQLiteError) -> Bool {
        try connection.number("SELECT EXISTS (SELECT 1 FROM books) OR EXISTS (SELECT 1 FROM notes)") == 0
    }

    /// Returns a Boolean value indicating whether the words have another folding, and no renewal has begun.
    static func isToBegin(_ connection: Connection) throws(SQLiteError) -> Bool {
        if try isWhole(connection) { return false }
        if try isEmpty(connection) { return false }
        return try SearchIndexProgress(in: connection) == nil
    }

    /// Returns the approximate number of rows with words.
    static func count(_ connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.number("SELECT (SELECT count(*) FROM books) + (SELECT count(*) FROM notes)") ?? 0
    }

    /// Renews the words of up to `rows` rows; words that are current are not written. Returns the new progress, or
    /// `nil` at the end.
    static func renew(
        _ rows: Int, from progress: SearchIndexProgress, in connection: Connection
    ) throws(SQLiteError) -> SearchIndexProgress? {
        var progress = progress
        let found = try entries(of: progress.part, after: progress.key, rows, connection)
        for entry in found where entry.isStale { try write(entry, of: progress.part, connection) }
        progress.rows += Int64(found.count)
        if let last = found.last { progress.key = last.key }
        guard found.count < rows else { return progress }
        guard let next = progress.part.next else { return nil }
        (progress.part, progress.key) = (next, 0)
        return progress
    }

    /// Returns the findings about words that differ from their texts. During a renewal only rows that it has passed are
    /// compared.
    static func findings(_ connection: Connection) throws(SQLiteError) -> [String] {
        let progress =
            try isWhole(connection) ? nil : SearchIndexProgress(in: connection) ?? SearchIndexProgress(total: 0)
        func stale(_ part: IndexedTable) throws(SQLiteError) -> Int {
            var (count, last) = (0, Int64(0))
            while true {
                let found = try entries(of: part, after: last, 1000, connection)
                guard let end = found.last else { return count }
                last = end.key
                for entry in found where progress?.hasPassed(entry.key, of: part) ?? true && entry.isStale {
                    count += 1
                }
            }
        }
        let (books, notes) = (try stale(.books), try stale(.notes))
        return try (books == 0 ? [] : ["search index: \(books) books have other words than their titles and authors"])
            + (progress == nil ? WordTable.findings(connection) : [])
            + (notes == 0 ? [] : ["search index: \(notes) notes have other words than their texts"])
    }

    /// The stored words of a row, and the expected ones.
    private struct IndexedRow {
        let key: Int64
        /// The key of the row in the index.
        let place: Int64
        let texts: [[UInt8]]
        let isStale: Bool

        init(_ key: Int64, at place: Int64, _ texts: [[UInt8]], in row: Statement, from column: Int32) {
            (self.key, self.place, self.texts) = (key, place, texts)
            isStale = texts.indices.contains { row.bytes(column + Int32($0)) != texts[$0] }
        }
    }

    private static let books = SQL(
        """
        SELECT \(BookTable.rows.columns), \(BookIndex.place), sort_title, sort_author, books_words.title,
            books_words.authors, books_words.language
        FROM books LEFT JOIN books_words ON books_words.rowid = \(BookIndex.place)
        WHERE books.key > ?1 ORDER BY books.key LIMIT ?2
        """)

    private static let notes = SQL(
        """
        SELECT key, notes.body, author, club, notes.quote, notes_words.body
        FROM notes LEFT JOIN notes_words ON notes_words.rowid = key
        WHERE key > ?1 AND notes.body IS NOT NULL ORDER BY key LIMIT ?2
        """)

    private static func entries(
        of part: IndexedTable, after key: Int64, _ rows: Int, _ connection: Connection
    ) throws(SQLiteError) -> [IndexedRow] {
        switch part {
        case .books:
            try connection.statement(books).bind(1, key).bind(2, Int64(rows)).all { row throws(SQLiteError) in
                let (book, width) = (try BookTable.row(row), BookTable.rows.width)
                let texts =
                    [book.sortTitle, book.sortAuthor].map { Array($0.utf8) } + FoldedBookWords(of: book).columns
                return IndexedRow(book.key, at: row.integer(width), texts, in: row, from: width + 1)
            }
        case .notes:
            try connection.statement(notes).bind(1, key).bind(2, Int64(rows)).all { row in
                let text = FoldedSearchText(body: row.text(1), quote: row.optionalText(4))
                let words = NoteTable.words(of: text, author: row.integer(2), club: row.optionalInteger(3))
                return IndexedRow(row.integer(0), at: row.integer(0), [words], in: row, from: 5)
            }
        }
    }

    private static func write(_ entry: IndexedRow, of part: IndexedTable, _ connection: Connection) throws(SQLiteError)
    {
        switch part {
        case .books:
            try connection.statement("UPDATE books SET sort_title = ?1, sort_author = ?2 WHERE key = ?3")
                .bind(1, text: entry.texts[0]).bind(2, text: entry.texts[1]).bind(3, entry.key).run()
            try BookIndex.insert(Array(entry.texts[2...]), at: entry.place, in: connection)
        case .notes:
            try connection.statement("INSERT OR REPLACE INTO notes_words (body, rowid) VALUES (?1, ?2)")
                .bind(1, text: entry.texts[0]).bind(2, entry.place).run()
        }
    }
}

/// The tables to renew, in this order. The raw values are stored.
enum IndexedTable: Int64, CaseIterable {
    case books = 0
    case notes = 1

    var next: IndexedTable? { IndexedTable(rawValue: rawValue + 1) }
}
