package import Model

/// The table of blocks.
enum ReaderBlockTable: ExportedTable {
    static let rows = TableMapping<ReaderBlock>("blocks", times: .created)

    static func scope(of row: ReaderBlock) -> ChangeScope { .reader(key: row.ownerKey) }

    static let endings: [ResourceEnding] = []

    /// Returns the block of a reader by another.
    static func find(_ reader: ResourceID, by owner: Int64, in connection: SQLiteConnection) throws(SQLiteError)
        -> ReaderBlock?
    {
        try matching("blocks.owner = ?1 AND readers.id = ?2", in: connection).bind(owner, reader).first(row)
    }

    /// Returns the first block of a reader by anyone.
    static func first(of reader: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> ReaderBlock? {
        try matching("blocks.blocked = ?1 ORDER BY blocks.key LIMIT 1", in: connection).bind(reader).first(row)
    }

    static func derivedID(of row: ReaderBlock, _ line: ImportLine) throws(RequestError) -> ResourceID? {
        guard let owner = line.id("owner") else { throw .unknown("owner") }
        return ReaderBlock.id(of: row.reader, by: owner)
    }

    /// Decides the imported block, which is new, because no field of a block changes. Hides the blocked reader's notes.
    static func complete(_ imported: inout RowImport<ReaderBlock>, _ state: borrowing WriteState) throws(RequestError) {
        imported.after = try state.hiding(true, of: imported.row.readerKey, from: imported.row.ownerKey)
    }
}

extension ReadConnection {
    /// The blocks by the reader `?1`, newest first.
    package static let blocks = SortedTableList(ReaderBlockTable.rows, where: "blocks.owner = ?1", order: .newestFirst)

    /// Returns the block of a reader by another, or `nil`.
    package func block(of reader: ResourceID, by owner: Int64) throws(RequestError) -> ReaderBlock? {
        try query(ReaderBlockTable.find(reader, by: owner, in: db))
    }
}
