package import Model

/// The table of streams.
enum NamedStreamTable: ResourceTable {
    static let rows = TableMapping<NamedStream>("streams")

    static func scope(of row: NamedStream) -> ChangeScope { .reader(key: row.readerKey) }

    static let endings: [ResourceEnding] = []
}

extension ReadConnection {
    /// Returns the stream whose secret has that digest, or `nil`.
    package func stream(digest: SHA256Digest) throws(RequestError) -> NamedStream? {
        try query(NamedStreamTable.all(of: "digest", digest, in: db).first)
    }

    /// Returns a stream of a reader, or `nil`.
    package func stream(_ id: ResourceID, of reader: Int64) throws(RequestError) -> NamedStream? {
        let found = try query(NamedStreamTable.find(id, in: db))
        return found.flatMap { $0.readerKey == reader ? $0 : nil }
    }

    /// The streams of the reader `?1`, newest first.
    package static let streams = SortedTableList(
        NamedStreamTable.rows, where: "streams.reader = ?1", order: .newestFirst)

    /// Returns all streams, each with the seconds for which it can be reopened after its last connection.
    package func leases() throws(RequestError) -> [(stream: ResourceID, seconds: Int32)] {
        try query(db.statement("SELECT id, lease FROM streams").all { ($0.id(0), Int32(clamping: $0.integer(1))) })
    }
}
