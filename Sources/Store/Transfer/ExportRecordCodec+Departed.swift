import JSON
import Model

/// The codec of readers who have left. They have no name, but are still the authors of notes in clubs, and the readers
/// who added books. Only their ids are exported.
extension ExportRecordCodec {
    /// The columns that may refer to a reader who has left, each with the condition for the rows that count.
    static let named: [(table: String, column: String, rows: String)] = [
        ("books", "added_by", "1"), ("claims", "reader", "1"), ("runs", "proposer", "1"), ("editions", "added_by", "1"),
        ("notes", "author", "body IS NOT NULL"), ("reactions", "reader", "1"),
    ]

    /// The condition for the readers of an export: those who are there, and those who have left and to whom another
    /// line refers.
    private static let isExported =
        "(\(ReaderTable.isThere) OR readers.key IN ("
        + named.map { "SELECT \($0.column) FROM \($0.table) WHERE \($0.rows)" }.joined(separator: " UNION ") + "))"

    /// The codec of readers. A reader who has left has a record of another kind, at the place of the reader's key: some
    /// lists are in the order of the keys, and an import keeps it.
    static let readers: ExportRecordCodec = {
        let rows = ExportedRows(
            inAccounts: .own("readers.key = ?1", privateIf: "0"), without: ["guardian"],
            wholeOnly: ["role", "suspension"])
        let known = ExportRecordCodec(ReaderTable.self, rows, isThere: isExported)
        var readers = known
        readers.write = { statement, scope, json throws(SQLiteError) in
            let row = try ReaderTable.rows.row(statement)
            // Only a reader who has left has no name.
            guard row.name.isEmpty else { return try known.write(statement, scope, &json) }
            json.beginRecord(departed.kind)
            json.member("id", row.id)
        }
        return readers
    }()

    /// The import of readers who have left. Their export is the readers' own.
    static let departed = ExportRecordCodec(
        kind: "departed",
        read: { line, state throws(RequestError) in
            var decoder = line.decoder
            let id = decoder.id("id") ?? .zero
            if id == .zero { decoder.refuse("id", "must be a UUID") }
            try decoder.demandValid()
            guard try state.query(ReaderTable.find(id, in: state.db)) == nil else {
                throw .refused(.importDiffers, "This reader exists here, and has not left.")
            }
            if try state.query(ReaderTable.rows.has(id, in: state.db)) { return CommandDecision([]) }
            guard try !state.query(ShelfTable.rows.has(id, in: state.db)) else { throw .idTaken }
            return CommandDecision(
                ReaderTable.departedInsertion(id, at: line.now), outcome: CommandOutcome(effect: .created))
        })
}

extension ReaderTable {
    /// Returns the changes that store the row of a reader who has left another server. They cause no event, because
    /// no reader here has known them.
    fileprivate static func departedInsertion(_ id: ResourceID, at now: Instant) -> [any CommandChange] {
        let row = UnloggedWrite(
            """
            INSERT INTO readers (id, version, name, role, has_left, created_at, updated_at)
            VALUES (?1, 0, '', 'reader', 1, ?2, ?2)
            """, id, now)
        return [row] + deletionOfOwnRows(id)
    }

    /// Returns the changes that delete the shelf and the settings that a trigger creates with a reader's row.
    static func deletionOfOwnRows(_ id: ResourceID) -> [UnloggedWrite] {
        [
            UnloggedWrite("DELETE FROM shelves WHERE id = ?1", id),
            UnloggedWrite("DELETE FROM settings WHERE id = ?1", id),
        ]
    }
}
