package import Model

/// An item of the list of a reader's readings and notes, which is meant for people.
package enum ReadingsDocumentItem: Sendable {
    /// A book. All items up to the next book belong to it.
    case book(Book)
    /// The reader's knowledge of the book.
    case knowledge(PriorKnowledge)
    case reading(Reading, Stars?)
    /// An entry of the preceding reading.
    case entry(Entry)
    case note(Note)
}

extension ReadConnection {
    /// Passes on a reader's readings and notes, book by book in the order of their titles, from one snapshot.
    package func readings(
        of reader: Int64, _ take: (ReadingsDocumentItem) throws(RequestError) -> Void
    ) throws(RequestError) {
        try read { () throws(RequestError) in
            try each(Self.books, BookTable.self, reader) { book throws(RequestError) in
                try take(.book(book))
                try each(Self.knowledge, PriorKnowledgeTable.self, reader, book.key) { knowledge throws(RequestError) in
                    try take(.knowledge(knowledge))
                }
                try each(Self.readings, ReadingTable.self, reader, book.key) { reading throws(RequestError) in
                    let rating = try query { db throws(SQLiteError) in try RatingTable.find(reading.id, in: db) }
                    try take(.reading(reading, rating?.stars))
                    try each(Self.entries, EntryTable.self, reading.key) { entry throws(RequestError) in
                        try take(.entry(entry))
                    }
                }
                try each(Self.notes, NoteTable.self, reader, book.key) { note throws(RequestError) in
                    try take(.note(note))
                }
            }
        }
    }

    private static let books = BookTable.rows.sql(
        "WHERE books.key IN (\(StoredTable.booksOfAccount)) ORDER BY books.sort_title, books.key")
    private static let knowledge = PriorKnowledgeTable.rows.sql("WHERE knowledge.reader = ?1 AND knowledge.book = ?2")
    private static let readings = ReadingTable.rows.sql(
        "WHERE readings.reader = ?1 AND readings.book = ?2 ORDER BY readings.number")
    private static let entries = EntryTable.rows.sql(
        "WHERE entries.reading = ?1 ORDER BY entries.happened_at, entries.key")
    private static let notes = NoteTable.rows.sql(
        """
        WHERE notes.author = ?1 AND notes.book = ?2 AND notes.body IS NOT NULL AND notes.is_nameless = 0
        ORDER BY notes.position, notes.key
        """)

    private func each<Stored: ResourceTable>(
        _ sql: SQLText, _: Stored.Type, _ first: Int64, _ second: Int64? = nil,
        _ take: (Stored.Row) throws(RequestError) -> Void
    ) throws(RequestError) {
        let statement = try query { db throws(SQLiteError) in
            let statement = try db.statement(sql).bind(first)
            return second.map { statement.bind(at: 2, $0) } ?? statement
        }
        defer { statement.reset() }
        while try query({ _ throws(SQLiteError) in try statement.step() }) {
            try take(try query { _ throws(SQLiteError) in try Stored.row(statement) })
        }
    }
}
