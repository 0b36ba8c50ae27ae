import JSON
import Model

/// The codec of readers who have left. They have no name, but are still the authors of notes in clubs, and the readers
/// who added books. Only their ids are exported.
extension ExportRecordCodec {
    /// The columns that refer to a reader, and the condition for their rows.
    static let named: [(table: String, column: String, rows: String)] = [
        ("books", "added_by", "1"), ("claims", "reader", "1"), ("runs", "proposer", "1"),
        ("editions", "added_by", "1"),
        ("notes", "author", "body IS NOT NULL"), ("reactions", "reader", "1"),
    ]

    /// The query for the readers who have left and to whom a line refers.
    private static let nobody = SQL(
        "SELECT id FROM readers WHERE has_left = 1 AND key IN ("
            + named.map { "SELECT \($0.column) FROM \($0.table) WHERE \($0.rows)" }.joined(separator: " UNION ")
            + ") ORDER BY readers.key")

    static let departed = ExportRecordCodec(
        kind: "departed", whole: nobody,
        write: { statement, _, json in
            json.name("id")
            json.id(statement.id(0))
        },
        read: { line, state, _, context throws(LecternError) in
            var decoder = ObjectDecoder(line)
            // The member was read before to choose this codec.
            _ = decoder.value("kind")
            let said = decoder.id("id")
            if said == nil { decoder.refuse("id", "must be a UUID") }
            try decoder.demandValid()
            guard let id = said else { return CommandDecision([]) }
            guard try state.read(ReaderTable.find(id, in: state.db)) == nil else {
                throw .refused(.importDiffers, "This reader exists here, and has not left.")
            }
            if try state.read(ReaderTable.rows.has(id, in: state.db)) { return CommandDecision([]) }
            guard try !state.read(ShelfTable.rows.has(id, in: state.db)) else { throw .idTaken }
            return CommandDecision([DepartedReaderImport(id: id)])
        })
}

/// The proposal that stores the row of a reader who has left another server. It causes no event, because no reader here
/// has known them.
struct DepartedReaderImport: ProposedChange {
    let id: ResourceID

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        let connection = transaction.connection
        try connection.statement(
            """
            INSERT INTO readers (id, version, name, role, has_left, created_at, updated_at)
            VALUES (?1, 0, '', 'reader', 1, ?2, ?2)
            """
        ).bind(1, id).bind(2, moment.at).run()
        // A trigger creates a shelf and settings with the row.
        for table in ["shelves", "settings"] { try connection.statement(Self.ends, table).bind(1, id).run() }
        transaction.noteSilentWrite()
        return .silentlyCreated
    }

    static let ends = SQLVariants<String> { "DELETE FROM \($0) WHERE id = ?1" }
}
