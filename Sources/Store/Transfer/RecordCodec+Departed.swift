import JSON
import Model

extension RecordCodec {
    /// The columns that name readers who may have left, and the condition of their rows.
    static let named: [(table: String, column: String, rows: String)] = [
        ("books", "added_by", "1"), ("claims", "reader", "1"), ("runs", "proposer", "1"),
        ("editions", "added_by", "1"),
        ("notes", "author", "body IS NOT NULL"), ("reactions", "reader", "1"),
    ]

    /// The codec of readers who have left and whom another line names: an id, and nothing else.
    static let departed = RecordCodec(
        "departed",
        "SELECT id FROM readers WHERE has_left = 1 AND key IN ("
            + named.map { "SELECT \($0.column) FROM \($0.table) WHERE \($0.rows)" }.joined(separator: " UNION ")
            + ") ORDER BY readers.key",
        [.init("id", .id)]
    ) { cells, state throws(LecternError) in
        guard case .id(let id) = cells[0] else { throw .unknown("id") }
        guard try state.read(ReaderTable.find(id, in: state.db)) == nil else {
            throw .refused(.importDiffers, "This reader is here, and has not left.")
        }
        if try state.read(ReaderTable.rows.has(id, in: state.db)) { return Decision([]) }
        guard try !state.read(ShelfTable.rows.has(id, in: state.db)) else { throw .idTaken }
        return Decision([DepartedReader(id: id)])
    }
}

/// The creation of the row of a reader who has left another server. No event tells of it.
struct DepartedReader: Proposal {
    let id: ResourceID

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        let connection = application.connection
        try connection.statement(
            """
            INSERT INTO readers (id, version, name, role, has_left, created_at, updated_at)
            VALUES (?1, 0, '', 'reader', 1, ?2, ?2)
            """
        ).bind(1, id).bind(2, moment.at).run()
        // A trigger adds a shelf and settings.
        for table in ["shelves", "settings"] { try connection.statement(Self.ends, table).bind(1, id).run() }
        application.noteSilentWrite()
        return .silentlyCreated
    }

    static let ends = Variants<String> { "DELETE FROM \($0) WHERE id = ?1" }
}
