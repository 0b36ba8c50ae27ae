package import Model

/// The table of shelves.
enum ShelfTable: ExportedTable {
    static let rows = TableMapping<Shelf>("shelves")

    /// The condition that a shelf is the initial one in its initial state, but for a club that it is shared with.
    static let isNamedAsMade = "(shelves.id = readers.id AND shelves.name = 'Want to read')"
    /// The condition that a shelf is the initial one in its initial state.
    static let isAsMade = "(\(isNamedAsMade) AND shelves.club IS NULL)"

    /// Returns the owner's scope. A club that the shelf is shared with can see it, but the log has changes only for its
    /// owner.
    static func scope(of row: Shelf) -> ChangeScope { .reader(key: row.readerKey) }

    fileprivate static let ofClub = SortedTableList(
        rows, where: "shelves.club = ?1 AND \(BlockVisibility.shows("shelves.reader", in: "shelves.club", to: "?2"))")
    private static let seen = rows.sql(
        """
        WHERE shelves.id = ?1
            AND (shelves.reader = ?2 OR shelves.club IN (SELECT club FROM members WHERE reader = ?2)
                AND \(BlockVisibility.shows("shelves.reader", in: "shelves.club", to: "?2")))
        """)

    /// Returns a shelf of the reader, or one that a reader whom they do not block shares with a club of theirs.
    static func find(_ id: ResourceID, seenBy reader: Int64, in connection: SQLiteConnection) throws(SQLiteError)
        -> Shelf?
    {
        try connection.statement(seen).bind(id, reader).first(row)
    }

    // A reader's shelves stay theirs when the club ends, or when the reader leaves it.
    static let endings = [
        ending(of: .club, where: "shelves.club = ?1", unshared),
        ending(
            of: .member, where: "(shelves.club, shelves.reader) = (SELECT club, reader FROM members WHERE key = ?1)",
            unshared),
    ]

    private static func unshared(_ shelf: Shelf) -> [any CommandChange] { [update(of: shelf) { $0.share(with: nil) }] }
}

/// The table of books on shelves.
enum ShelfBookTable: ExportedTable {
    static let rows = TableMapping<ShelfBook>("shelf_books")

    static func scope(of row: ShelfBook) -> ChangeScope { .reader(key: row.readerKey) }

    static let endings = [ending(of: .shelf, where: "shelf_books.shelf = ?1")]

    static func find(_ book: ResourceID, on shelf: Int64, in connection: SQLiteConnection) throws(SQLiteError)
        -> ShelfBook?
    {
        try matching("shelf_books.shelf = ?1 AND books.id = ?2", in: connection).bind(shelf, book).first(row)
    }

    /// Returns the number of books on a shelf, and the greatest place of a book in its order.
    static func extent(of shelf: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> (
        count: Int64, place: Int32
    ) {
        try connection.statement("SELECT count(*), ifnull(max(place), 0) FROM shelf_books WHERE shelf = ?1")
            .bind(shelf).first { ($0.integer(0), $0.int32(1)) } ?? (0, 0)
    }
}

extension ReadConnection {
    /// The shelves of the reader `?1`, oldest first.
    package static let shelves = SortedTableList(ShelfTable.rows, where: "shelves.reader = ?1")

    /// Returns the shelves shared with a club that a member may see. The caller must have checked the membership.
    package func shelves(
        ofClub club: Int64, seenBy reader: Int64, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<Shelf> {
        try page(ShelfTable.ofClub, after: cursor, limit: limit) { $0.bind(club, reader) }
    }

    /// Returns a shelf of the reader, or one that is shared with a club of theirs, or `nil`.
    package func shelf(_ id: ResourceID, seenBy reader: Int64) throws(RequestError) -> Shelf? {
        try query(ShelfTable.find(id, seenBy: reader, in: db))
    }

    /// Returns a book on a shelf that the viewer sees.
    package func book(_ book: ResourceID, on shelf: Shelf) throws(RequestError) -> ShelfBook? {
        try query(ShelfBookTable.find(book, on: shelf.key, in: db))
    }

    /// The books on the shelf `?1`, in its order. The caller must have checked that the viewer sees it.
    package static let shelfBooks = SortedTableList(
        ShelfBookTable.rows, where: "shelf_books.shelf = ?1", order: ListOrder(by: .number("place")))
}
