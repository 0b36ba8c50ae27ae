package import Model

/// The table of blocks.
enum ReaderBlockTable: ResourceTable {
    static let rows = TableMapping<ReaderBlock>("blocks", times: .created)

    static func scope(of row: ReaderBlock) -> ChangeScope { .reader(key: row.ownerKey) }

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

    /// Decides the imported block, and hides the blocked reader's notes if the block is new.
    static func imported(
        _ row: inout ReaderBlock, over _: ReaderBlock?, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> CommandDecision {
        // The id is derived from the owner, who may be another reader here.
        guard let owner = try state.read(ReaderTable.find(key: row.ownerKey, in: state.db)) else {
            throw .unknown("reader")
        }
        row.identity = CommonResourceFields(
            id: ReaderBlock.id(of: row.reader, by: owner.id), createdAt: row.createdAt, updatedAt: row.updatedAt)
        let old = try state.read(find(row.id, in: state.db))
        let write = RowWrite<ReaderBlockTable>(before: old, after: old ?? row, keepsTimes: true)
        guard old == nil else { return CommandDecision([write]) }
        return CommandDecision([write] + (try state.hiding(true, of: row.readerKey, from: row.ownerKey)))
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
