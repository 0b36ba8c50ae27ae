package import Model

/// Rows of streams, and of tickets.
enum StreamTable: Table {
    static let rows = Rows<Model.Stream>(
        "streams", joins: "streams JOIN readers ON readers.key = streams.reader")

    static func scope(of row: Model.Stream) -> Scope { .reader(key: row.readerKey) }

    fileprivate static let ofReader = TableList<StreamTable>(
        where: "streams.reader = ?1 AND NOT streams.is_ticket", isDescending: true)
    private static let byDigest = rows.sql("WHERE streams.digest = ?1")
    private static let oldestTicket = rows.sql(
        "WHERE streams.reader = ?1 AND streams.is_ticket ORDER BY streams.key LIMIT 1")

    static func count(ofReader reader: Int64, isTicket: Bool, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement("SELECT count(*) FROM streams WHERE reader = ?1 AND is_ticket = ?2")
            .bind(1, reader).bind(2, isTicket ? 1 : 0).first { $0.integer(0) } ?? 0
    }

    private static let allOfReader = rows.sql("WHERE streams.reader = ?1 ORDER BY streams.key")

    /// The streams and the tickets of a reader.
    static func all(ofReader reader: Int64, in connection: Connection) throws(SQLiteError) -> [Model.Stream] {
        try connection.statement(allOfReader).bind(1, reader).all(row)
    }

    /// The ticket of a reader that was made first.
    static func oldestTicket(ofReader reader: Int64, in connection: Connection) throws(SQLiteError) -> Model.Stream? {
        try connection.statement(oldestTicket).bind(1, reader).first(row)
    }

    fileprivate static func find(_ digest: Digest, in connection: Connection) throws(SQLiteError) -> Model.Stream? {
        try connection.statement(byDigest).bind(1, digest).first(row)
    }
}

extension ReadConnection {
    /// The stream, or the ticket, whose secret has that digest; nil when there is none.
    package func stream(digest: Digest) throws(LecternError) -> Model.Stream? {
        try query { db throws(SQLiteError) in try StreamTable.find(digest, in: db) }
    }

    /// A reader's stream; nil when they have none of that id.
    package func stream(_ id: ResourceID, of reader: Int64) throws(LecternError) -> Model.Stream? {
        let found = try query { db throws(SQLiteError) in try StreamTable.find(id, in: db) }
        return found.flatMap { $0.readerKey == reader && !$0.isTicket ? $0 : nil }
    }

    /// A reader's streams, the newest first.
    package func streams(of reader: Int64, after cursor: String?, limit: Int) throws(LecternError) -> Page<Model.Stream>
    {
        try page(StreamTable.ofReader, after: cursor, limit: limit) { $0.bind(1, reader) }
    }

    /// All streams and tickets there are, and for how many seconds after its last connection each can be opened again.
    package func leases() throws(LecternError) -> [(stream: ResourceID, isTicket: Bool, seconds: Int32)] {
        try query { db throws(SQLiteError) in
            try db.statement("SELECT id, is_ticket, lease FROM streams").all {
                ($0.id(0), $0.integer(1) != 0, Int32(clamping: $0.integer(2)))
            }
        }
    }

    /// The viewer that a token stands for; nil when there is none, any more.
    package func viewer(token id: ResourceID) throws(LecternError) -> Viewer? {
        try viewer(where: "tokens.id") { $0.bind(1, id) }?.viewer
    }
}
