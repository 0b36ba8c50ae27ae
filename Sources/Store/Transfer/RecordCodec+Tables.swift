import JSON
import Model

/// The codecs of tables whose rows are no resources.
extension RecordCodec {
    /// The codec of records that are described by columns. `decide` gets the values of a line, by column.
    init(
        _ kind: String, _ whole: String, _ columns: [ExportColumn], unique: [Uniqueness] = [],
        decide: @escaping @Sendable ([Cell], borrowing WriteState) throws(LecternError) -> Decision
    ) {
        self.init(
            kind: kind, whole: SQL(whole),
            write: { statement, _, json in
                for (index, column) in columns.enumerated() { column.write(statement, at: Int32(index), to: &json) }
            }, unique: unique,
            read: { line, state, _, context throws(LecternError) in
                var decoder = ObjectDecoder(line)
                // `cell` reads the values; here the decoder learns which members there are.
                for member in ["kind"] + columns.map(\.member) { _ = decoder.value(member) }
                try decoder.demandValid()
                var cells: [Cell] = []
                for column in columns { cells.append(try column.cell(line, state, context) ?? .null) }
                return try decide(cells, state)
            })
    }

    /// The codec of a table whose first columns identify a row. A new row has to pass the checks, whose parameters are the columns.
    private init(
        _ kind: String, _ table: String, keys: Int, unique: [Uniqueness] = [], checks: [TableRecords.Check] = [],
        _ columns: [ExportColumn]
    ) {
        let records = TableRecords(table, keys: keys, columns, unique, checks)
        // In the order of the keys, so that nothing is sorted: readers and clubs keep that order in an import.
        let order = columns.prefix(keys).map { "\(table).\($0.column)" }.joined(separator: ", ")
        let values = columns.map { $0.expression(of: table) }.joined(separator: ", ")
        self.init(
            kind, "SELECT \(values) FROM \(table) ORDER BY \(order)", columns, unique: unique,
            decide: { cells, state throws(LecternError) in try records.decision(cells, state) })
    }

    static let claims = RecordCodec(
        "claim", "claims", keys: 2,
        [
            .init("id", .id), .init("of", column: "kind", .resourceKind), .init("reader", .anyReader),
            .init("digest", .digest),
        ])

    /// The codec of sign-in names and the hashes of their passwords.
    static let accounts = RecordCodec(
        "account", "accounts", keys: 1, unique: [Uniqueness("folded")],
        [
            .init("reader", .key("readers")), .init("name", .signInName), .init("folded", .foldedName),
            .init("password", .passwordHash, .null), .init("passwordAt", column: "password_at", .time, .null),
        ])

    static let identities = RecordCodec(
        "identity", "identities", keys: 2,
        [
            .init("issuer", .text), .init("subject", .text), .init("reader", .key("readers")),
            .init("createdAt", column: "created_at", .time),
        ])

    static let formerMembers = RecordCodec(
        "formerMember", "former_members", keys: 2,
        [.init("club", .key("clubs")), .init("reader", .key("readers")), .init("name", .text)])

    static let guardianships = RecordCodec(
        "guardianship", "guardianships", keys: 1,
        checks: [
            .init(
                """
                SELECT NOT EXISTS (SELECT 1 FROM readers
                        WHERE key = ?1 AND role = 'reader' AND is_librarian = 0 AND key <> ?2)
                    OR EXISTS (SELECT 1 FROM guardianships WHERE reader = ?2 OR guardian = ?1)
                """,
                .invalid([
                    Violation(
                        pointer: "/guardian",
                        detail: "may be of a mere reader only, who is nobody's guardian, and nobody's ward")
                ]))
        ],
        [.init("reader", .key("readers")), .init("guardian", .key("readers"))])
}

/// The import of rows that are no resources.
struct TableRecords: Sendable {
    /// An error for a new row, if a query of the row's values gives 1.
    struct Check: Sendable {
        let sql: SQL
        let error: LecternError

        init(_ sql: String, _ error: LecternError) { (self.sql, self.error) = (SQL(sql), error) }
    }

    private let members: [StaticString]
    /// Which columns of a row with the same keys have the same value.
    private let comparison: SQL
    private let insertion: SQL
    private let checks: [Check]

    init(_ table: String, keys: Int, _ columns: [ExportColumn], _ unique: [Uniqueness], _ checks: [Check]) {
        members = columns.map(\.member)
        let names = columns.map(\.column)
        let equal = names.enumerated().map { "\($1) IS ?\($0 + 1)" }
        comparison = SQL(
            """
            SELECT \(equal.joined(separator: ", ")) FROM \(table)
            WHERE \(equal.prefix(keys).joined(separator: " AND "))
            """)
        let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        insertion = SQL("INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))")
        self.checks =
            checks
            + unique.map { unique in
                let same = names.indices.filter { unique.columns.contains(names[$0]) }
                return Check(
                    "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(same.map { equal[$0] }.joined(separator: " AND ")))",
                    .duplicate(same.map { "\(columns[$0].member)" }))
            }
    }

    /// Decides the change that stores a row.
    func decision(_ cells: [Cell], _ state: borrowing WriteState) throws(LecternError) -> Decision {
        func query<Result>(
            _ sql: SQL, _ result: (Statement) -> Result
        ) throws(LecternError) -> Result? {
            try state.query { db throws(SQLiteError) in
                let statement = try db.statement(sql)
                for (index, cell) in cells.enumerated() { statement.bind(Int32(index) + 1, cell) }
                return try statement.first(result)
            }
        }
        let different = try query(comparison) { statement in
            members.indices.first { statement.integer(Int32($0)) == 0 }
        }
        if let different {
            guard let index = different else { return Decision([]) }
            throw .refused(.importDiffers, "This is there already, and another in: \(members[index]).")
        }
        for check in checks where try query(check.sql, { $0.integer(0) }) == 1 { throw check.error }
        return Decision([TableWrite(insertion: insertion, cells: cells)])
    }
}

extension Outcome {
    /// The outcome of creating a row that is no resource.
    static let silentlyCreated = Outcome(kind: .token, id: .zero, version: 0, value: nil, effect: .created)
}

/// The insertion of a row that is no resource, without a change in the log.
struct TableWrite: Proposal {
    let insertion: SQL
    let cells: [Cell]

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        let statement = try application.connection.statement(insertion)
        for (index, cell) in cells.enumerated() { statement.bind(Int32(index) + 1, cell) }
        try statement.run()
        application.noteSilentWrite()
        return .silentlyCreated
    }
}
