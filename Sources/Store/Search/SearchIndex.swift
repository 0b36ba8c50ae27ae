import Model

/// The stored words of books and notes and the sort keys of books, and their comparison with the texts.
///
/// Stored and searched words must have the same folding, or a search would find less than a watched one. `meta`
/// contains the folding of the index (a migration that stores words differently deletes it). The first start of a
/// program with another folding rebuilds the index before it serves.
enum SearchIndex {
    /// The number of rows that one transaction of a rebuild reads.
    private static let rowsPerTransaction = 5000
    /// The time after which a rebuild reports its progress.
    private static let silenceMax = Duration.seconds(10)

    /// Returns a Boolean value indicating whether all words have this program's folding.
    static func isWhole(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.number("SELECT value FROM meta WHERE name = 'fold'") == SearchFold.version
    }

    /// Returns a Boolean value indicating whether words are stored with another folding.
    static func isOutdated(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        if try isWhole(connection) { return false }
        return try connection.number("SELECT EXISTS (SELECT 1 FROM books) OR EXISTS (SELECT 1 FROM notes)") != 0
    }

    /// Renews all words with another folding; words that are current are not written. A rebuild that was interrupted
    /// starts again, and passes the renewed rows quickly.
    static func rebuild(_ connection: SQLiteConnection, report: (OperatorNotice) -> Void) throws(SQLiteError) {
        if try isWhole(connection) { return }
        let isOutdated = try isOutdated(connection)
        let began = ContinuousClock.now
        var (saidAt, rows) = (began, 0)
        if isOutdated { report(.info("rebuilding the search index for this version")) }
        for part in SearchIndexedTable.allCases {
            var last: Int64? = 0
            while let key = last {
                try connection.run("BEGIN IMMEDIATE")
                let found = try entries(of: part, after: key, rowsPerTransaction, connection)
                for entry in found where entry.isStale { try write(entry, of: part, connection) }
                try connection.run("COMMIT")
                // The log is written from its start again, instead of growing with the index.
                try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
                last = found.last?.key
                rows += found.count
                guard ContinuousClock.now - saidAt >= silenceMax else { continue }
                saidAt = .now
                report(.info("rebuilding the search index: \(rows) books and notes so far"))
            }
        }
        try connection.statement("INSERT OR REPLACE INTO meta (name, value) VALUES ('fold', ?1)")
            .bind(SearchFold.version).run()
        let seconds = ((ContinuousClock.now - began) / .milliseconds(100)).rounded() / 10
        if isOutdated { report(.info("the search index is complete, after \(seconds) s")) }
    }

    /// Returns the findings about words that differ from their texts. An outdated index has none: the next start
    /// rebuilds it.
    static func findings(_ connection: SQLiteConnection) throws(SQLiteError) -> [String] {
        guard try isWhole(connection) else { return [] }
        func stale(_ part: SearchIndexedTable) throws(SQLiteError) -> Int {
            var (count, last): (Int, Int64?) = (0, 0)
            while let key = last {
                let found = try entries(of: part, after: key, 1000, connection)
                count += found.count { $0.isStale }
                last = found.last?.key
            }
            return count
        }
        let (books, notes) = (try stale(.books), try stale(.notes))
        return try (books == 0 ? [] : ["search index: \(books) books have other words than their titles and authors"])
            + WordTable.findings(connection)
            + (notes == 0 ? [] : ["search index: \(notes) notes have other words than their texts"])
    }

    /// The stored words of a row, and the expected ones.
    private struct IndexedRow {
        let key: Int64
        /// The key of the row in the search index. For a book it may differ from the book's key.
        let place: Int64
        let texts: [[UInt8]]
        let isStale: Bool

        init(_ key: Int64, at place: Int64, _ texts: [[UInt8]], in row: SQLiteStatement, from column: Int32) {
            (self.key, self.place, self.texts) = (key, place, texts)
            isStale = texts.indices.contains { row.bytes(column + Int32($0)) != texts[$0] }
        }
    }

    private static let books = SQLText(
        """
        SELECT \(BookTable.rows.columns), \(BookWordIndex.place), sort_title, sort_author, books_words.title,
            books_words.authors, books_words.language
        FROM books LEFT JOIN books_words ON books_words.rowid = \(BookWordIndex.place)
        WHERE books.key > ?1 ORDER BY books.key LIMIT ?2
        """)

    private static let notes = SQLText(
        """
        SELECT key, notes.body, author, club, notes.quote, notes_words.body
        FROM notes LEFT JOIN notes_words ON notes_words.rowid = key
        WHERE key > ?1 AND notes.body IS NOT NULL ORDER BY key LIMIT ?2
        """)

    private static func entries(
        of part: SearchIndexedTable, after key: Int64, _ rows: Int, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [IndexedRow] {
        switch part {
        case .books:
            try connection.statement(books).bind(key, Int64(rows)).all { row throws(SQLiteError) in
                let (book, width) = (try BookTable.row(row), BookTable.rows.width)
                let texts =
                    [book.sortTitle, book.sortAuthor].map { Array($0.utf8) } + book.searchColumns
                return IndexedRow(book.key, at: row.integer(width), texts, in: row, from: width + 1)
            }
        case .notes:
            try connection.statement(notes).bind(key, Int64(rows)).all { row in
                let text = FoldedSearchText(body: row.text(1), quote: row.optionalText(4))
                let words = NoteTable.words(of: text, author: row.integer(2), club: row.optionalInteger(3))
                return IndexedRow(row.integer(0), at: row.integer(0), [words], in: row, from: 5)
            }
        }
    }

    private static func write(_ entry: IndexedRow, of part: SearchIndexedTable, _ connection: SQLiteConnection)
        throws(SQLiteError)
    {
        switch part {
        case .books:
            try connection.statement("UPDATE books SET sort_title = ?1, sort_author = ?2 WHERE key = ?3")
                .bind(UTF8Text(entry.texts[0]), UTF8Text(entry.texts[1]), entry.key).run()
            try BookWordIndex.insert(Array(entry.texts[2...]), at: entry.place, in: connection)
        case .notes:
            try connection.statement("INSERT OR REPLACE INTO notes_words (body, rowid) VALUES (?1, ?2)")
                .bind(UTF8Text(entry.texts[0]), entry.place).run()
        }
    }
}

/// The tables whose words are in the search index.
enum SearchIndexedTable: CaseIterable {
    case books
    case notes
}
