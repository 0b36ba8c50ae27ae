package import Model

/// The table of editions.
enum EditionTable: ExportedTable {
    static let rows = TableMapping<Edition>("editions")

    static func scope(of row: Edition) -> ChangeScope { .everyone }

    static let endings = [ending(of: .book, where: "editions.book = ?1")]

    /// Returns a Boolean value indicating whether readers other than the given one read in an edition.
    static func isOfOthers(_ edition: Edition, than reader: Int64, in connection: SQLiteConnection) throws(SQLiteError)
        -> Bool
    {
        try connection.statement("SELECT 1 FROM readings WHERE edition = ?1 AND reader <> ?2 LIMIT 1")
            .bind(edition.id, reader).hasRow()
    }
}

extension ReadConnection {
    /// The editions of all books, oldest first.
    package static let editions = SortedTableList(EditionTable.rows)

    /// Returns an edition, or `nil`.
    package func edition(_ id: ResourceID) throws(RequestError) -> Edition? {
        try query(EditionTable.find(id, in: db))
    }
}
