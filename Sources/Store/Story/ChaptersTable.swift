package import Model

/// Rows of the chapters of books, a row for all of a book.
enum ChaptersTable: Table {
    static let rows = Rows<Chapters>("chapters", key: .own)

    static func scope(of row: Chapters) -> Scope { .everyone }
}

/// Rows of where they begin in editions, a row for each.
enum AnchorsTable: Table {
    static let rows = Rows<Anchors>("anchors", key: .own)

    static func scope(of row: Anchors) -> Scope { .everyone }

    private static let ofBook = rows.sql(
        "JOIN editions ON editions.key = anchors.key WHERE editions.book = ?1 ORDER BY anchors.key")

    /// Those of a book's editions, in the order of these.
    static func all(ofBook book: Int64, in connection: Connection) throws(SQLiteError) -> [Anchors] {
        try connection.statement(ofBook).bind(1, book).all(row)
    }
}

extension ReadConnection {
    /// The chapters of a book; nil when nobody said them.
    package func chapters(ofBook book: ResourceID) throws(LecternError) -> Chapters? {
        try query { db throws(SQLiteError) in try ChaptersTable.find(book, in: db) }
    }

    /// Where they begin in an edition; nil when nobody said it.
    package func anchors(ofEdition edition: ResourceID) throws(LecternError) -> Anchors? {
        try query { db throws(SQLiteError) in try AnchorsTable.find(edition, in: db) }
    }
}
