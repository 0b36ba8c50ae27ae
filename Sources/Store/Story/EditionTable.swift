package import Model

/// Rows of editions.
enum EditionTable: Table {
    static let rows = Rows<Edition>("editions", joins: "editions JOIN books ON books.key = editions.book")

    static func scope(of row: Edition) -> Scope { .everyone }

    fileprivate static let ofBook = TableList<EditionTable>(where: "books.id = ?1")
    private static let allOfBook = rows.sql("WHERE editions.book = ?1 ORDER BY editions.key")

    /// Those of a book, in the order in which they were added.
    static func all(of book: Int64, in connection: Connection) throws(SQLiteError) -> [Edition] {
        try connection.statement(allOfBook).bind(1, book).all(row)
    }

    static func update(_ row: Edition, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try rows.update(row, changed: changed, in: connection)
        if !changed.isDisjoint(with: Edition.fieldsOfMeasure) { try MeasureTable.forget(row.key, in: connection) }
    }

    static func delete(_ row: Edition, in connection: Connection) throws(SQLiteError) {
        try MeasureTable.forget(row.key, in: connection)
        try rows.delete(row, in: connection)
    }

    /// Whether somebody reads in it, or something that was said is measured by it.
    static func isInUse(_ edition: Edition, in connection: Connection) throws(SQLiteError) -> Bool {
        let isRead = try connection.statement("SELECT 1 FROM readings WHERE edition = ?1 LIMIT 1").bind(1, edition.id)
            .first { _ in true }
        if isRead != nil { return true }
        let isPlanned = try connection.statement("SELECT 1 FROM runs WHERE edition = ?1 LIMIT 1")
            .bind(1, edition.id).first { _ in true }
        if isPlanned != nil { return true }
        return try Framed.isAny(at: Place.edition(edition.key), ofBook: edition.bookKey, in: connection)
    }

    /// Whether others than that reader read in it.
    static func isOfOthers(_ edition: Edition, than reader: Int64, in connection: Connection) throws(SQLiteError)
        -> Bool
    {
        try connection.statement("SELECT 1 FROM readings WHERE edition = ?1 AND reader <> ?2 LIMIT 1")
            .bind(1, edition.id).bind(2, reader).first { _ in true } ?? false
    }
}

/// What is kept with the frame in which it was said.
enum Framed {
    private static let any = SQL(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM entries WHERE frame = ?1 AND frame IS NOT NULL)
            OR EXISTS (SELECT 1 FROM notes WHERE book = ?2 AND frame = ?1)
            OR EXISTS (SELECT 1 FROM knowledge WHERE frame = ?1 AND frame IS NOT NULL)
        """)

    /// Of entries, of notes, and of what is known.
    static func isAny(at place: Int64, ofBook book: Int64, in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement(any).bind(1, place).bind(2, book).first { _ in true } ?? false
    }

    /// Whether anything in a book was said in an edition, or by a chapter.
    static func isAny(ofBook book: Int64, in connection: Connection) throws(SQLiteError) -> Bool {
        if try isAny(at: Place.chapters(ofBook: book), ofBook: book, in: connection) { return true }
        let isOfChapters = try connection.statement(
            "SELECT 1 FROM notes WHERE book = ?1 AND chapters_at IS NOT NULL LIMIT 1"
        ).bind(1, book).first { _ in true }
        if isOfChapters != nil { return true }
        for edition in try EditionTable.all(of: book, in: connection)
        where try isAny(at: Place.edition(edition.key), ofBook: book, in: connection) {
            return true
        }
        return false
    }
}

extension ReadConnection {
    /// The editions of a book, in the order in which they were added.
    package func editions(
        ofBook book: ResourceID, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Edition> {
        try page(EditionTable.ofBook, after: cursor, limit: limit) { $0.bind(1, book) }
    }

    /// An edition; nil when there is none.
    package func edition(_ id: ResourceID) throws(LecternError) -> Edition? {
        try query { db throws(SQLiteError) in try EditionTable.find(id, in: db) }
    }
}
