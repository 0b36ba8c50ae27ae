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
            for book in try rows(of: BookTable.self, Self.books, reader) {
                try take(.book(book))
                for knowledge in try rows(of: PriorKnowledgeTable.self, Self.knowledge, reader, book.key) {
                    try take(.knowledge(knowledge))
                }
                for reading in try rows(of: ReadingTable.self, Self.readings, reader, book.key) {
                    let rating = try query(RatingTable.find(reading.id, in: db))
                    try take(.reading(reading, rating?.stars))
                    for entry in try rows(of: EntryTable.self, Self.entries, reading.key) { try take(.entry(entry)) }
                }
                for note in try rows(of: NoteTable.self, Self.notes, reader, book.key) { try take(.note(note)) }
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

    private func rows<Stored: ResourceTable>(
        of _: Stored.Type, _ sql: SQLText, _ first: Int64, _ second: Int64? = nil
    ) throws(RequestError) -> [Stored.Row] {
        let statement = try query(db.statement(sql).bind(first))
        if let second { statement.bind(at: 2, second) }
        return try query(statement.all(Stored.row))
    }
}
