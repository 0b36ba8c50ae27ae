import JSON
import Model

/// The codecs of tables whose rows are not resources.
extension ExportRecordCodec {
    /// Creates the codec of a table whose first columns identify a row.
    private init(
        _ kind: String, _ table: String, keys: Int, refusing: NonResourceRows.RowRule? = nil,
        _ columns: [NonResourceColumn]
    ) {
        let plain = NonResourceRows(table: table, keys: keys, refusal: refusing, columns: columns)
        self.init(
            kind: kind, whole: plain.all, write: { statement, _, json in plain.write(statement, to: &json) },
            read: { line, state throws(RequestError) in
                try plain.decision(line, state)
            })
    }

    static let claims = ExportRecordCodec(
        "claim", "claims", keys: 2,
        refusing: .init(
            unless: """
                SELECT 1 WHERE ?4 IS NOT NULL AND ifnull(CASE ?2
                    WHEN \(ResourceKind.reading.rawValue) THEN (SELECT reader FROM readings WHERE id = ?1)
                    WHEN \(ResourceKind.entry.rawValue) THEN (SELECT readings.reader FROM entries
                        JOIN readings ON readings.key = entries.reading WHERE entries.id = ?1)
                    WHEN \(ResourceKind.note.rawValue) THEN (SELECT author FROM notes WHERE id = ?1)
                    WHEN \(ResourceKind.standing.rawValue) THEN (SELECT members.reader FROM standings
                        JOIN members ON members.key = standings.member WHERE standings.id = ?1)
                    WHEN \(ResourceKind.joinRequest.rawValue) THEN (SELECT reader FROM join_requests WHERE id = ?1)
                    WHEN \(ResourceKind.shelf.rawValue) THEN (SELECT reader FROM shelves WHERE id = ?1)
                    END, ?3) = ?3
                """, at: "reader", detail: "must be the reader whose resource has this id"),
        [
            .init("id", .id), .init("of", column: "kind", .kind), .init("reader", .anyReader),
            .init("digest", .digest),
        ])

    /// The codec for sign-in names and passwords. It includes the hashes of passwords, so that readers can sign in as
    /// before.
    static let accounts = ExportRecordCodec(
        "account", "accounts", keys: 1,
        [
            .init("reader", .key("readers")), .init("name", .signInName),
            .init("folded", .foldedName), .init("password", .passwordHash, isOptional: true),
            .init("passwordAt", column: "password_at", .time, isOptional: true),
        ])

    static let identities = ExportRecordCodec(
        "identity", "identities", keys: 2,
        [
            .init("issuer", .text), .init("subject", .text), .init("reader", .key("readers")),
            .init("createdAt", column: "created_at", .time),
        ])

    static let formerMembers = ExportRecordCodec(
        "formerMember", "former_members", keys: 2,
        refusing: .init(
            unless: "SELECT 1 WHERE ?3 <> '' AND NOT EXISTS (SELECT 1 FROM members WHERE club = ?1 AND reader = ?2)",
            at: "reader", detail: "must not be a member of the club, and must have a name"),
        [.init("club", .key("clubs")), .init("reader", .key("readers")), .init("name", .text)])

    /// The codec for the guardians of managed accounts. The import is a change of the managed reader.
    static let guardianships: ExportRecordCodec = {
        var codec = guardianshipRows
        codec.read = { line, state throws(RequestError) in
            let decision = try guardianshipRows.read(line, state)
            guard !decision.proposals.isEmpty, let id = line.id("reader"),
                let old = try state.read(ReaderTable.find(id, in: state.db))
            else { return decision }
            var new = old
            new.guardian = line.id("guardian")
            let write = RowWrite<ReaderTable>(before: old, after: new, keepsTimes: true)
            return CommandDecision([write] + decision.proposals)
        }
        return codec
    }()

    private static let guardianshipRows = ExportRecordCodec(
        "guardianship", "guardianships", keys: 1,
        refusing: .init(
            unless: """
                SELECT 1 FROM readers WHERE key = ?1 AND role = 'reader' AND is_librarian = 0 AND key <> ?2
                    AND NOT EXISTS (SELECT 1 FROM guardianships WHERE reader = ?2 OR guardian = ?1)
                """, at: "guardian",
            detail:
                "needs two readers: the reader must not be an administrator or a guardian, and the guardian must not have a guardian"
        ),
        [.init("reader", .key("readers")), .init("guardian", .key("readers"))])
}

/// The export and import of rows that are not resources.
struct NonResourceRows: Sendable {
    let columns: [NonResourceColumn]
    let all: SQLText
    /// The query that compares the row whose first columns have the given values, column by column.
    private let comparison: SQLText
    private let insertion: SQLText
    private let refusal: RowRule?

    /// A rule that rows must satisfy.
    struct RowRule: Sendable {
        let unless: SQLText
        let pointer: String
        let detail: String

        /// Creates a rule. `unless` is a query with the row's values as parameters, which returns a row if they are
        /// valid.
        init(unless: String, at member: String, detail: String) {
            (self.unless, pointer, self.detail) = (SQLText(unless), "/\(member)", detail)
        }
    }

    init(table: String, keys: Int, refusal: RowRule?, columns: [NonResourceColumn]) {
        (self.columns, self.refusal) = (columns, refusal)
        let given = columns.map { $0.expression(of: table) }
        let known = columns.prefix(keys).enumerated().map { "\(table).\($1.column) = ?\($0 + 1)" }
        let same = columns.enumerated().map { "\(table).\($1.column) IS ?\($0 + 1)" }
        // Sorted by the primary key, so that no sorting is needed. The keys of readers and clubs have the same order
        // after an import.
        let order = columns.prefix(keys).map { "\(table).\($0.column)" }.joined(separator: ", ")
        all = SQLText("SELECT \(given.joined(separator: ", ")) FROM \(table) ORDER BY \(order)")
        comparison = SQLText(
            "SELECT \(same.joined(separator: ", ")) FROM \(table) WHERE \(known.joined(separator: " AND "))")
        let places = columns.indices.map { "?\($0 + 1)" }
        insertion = SQLText(
            """
            INSERT INTO \(table) (\(columns.map(\.column).joined(separator: ", "))) \
            VALUES (\(places.joined(separator: ", ")))
            """)
    }

    func write(_ statement: SQLiteStatement, to json: inout JSONWriter) {
        for (index, column) in columns.enumerated() { column.write(statement, at: Int32(index), to: &json) }
    }

    func decision(_ line: ImportLine, _ state: borrowing WriteState) throws(RequestError) -> CommandDecision {
        var cells: [DatabaseValue] = []
        for column in columns { cells.append(try column.cell(line, state)) }
        let differences = try state.query { db throws(SQLiteError) in
            try Self.bind(cells, to: db.statement(comparison)).first { row in
                columns.indices.filter { row.integer(Int32($0)) == 0 }
            }
        }
        guard let differences else {
            try demandFit(cells, state)
            return CommandDecision([UnloggedWrite(insertion, cells)], outcome: .unloggedCreation)
        }
        for column in differences.map({ columns[$0] }) {
            // A future time was stored as the time of its import.
            if case .time = column.form, let time = line["\(column.member)"].flatMap({ Instant(json: $0) }),
                time > line.now
            {
                continue
            }
            throw .refused(.importDiffers, "The existing row differs in: \(column.member).")
        }
        return CommandDecision([])
    }

    private func demandFit(_ cells: [DatabaseValue], _ state: borrowing WriteState) throws(RequestError) {
        guard let refusal else { return }
        let isFit = try state.query { db throws(SQLiteError) in
            try Self.bind(cells, to: db.statement(refusal.unless)).first { _ in true } ?? false
        }
        if !isFit { throw .violation(refusal.pointer, refusal.detail) }
    }

    private static func bind(_ cells: [DatabaseValue], to statement: SQLiteStatement) -> SQLiteStatement {
        for (index, cell) in cells.enumerated() { statement.bind(at: Int32(index) + 1, cell) }
        return statement
    }
}
