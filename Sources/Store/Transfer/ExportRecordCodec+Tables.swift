import JSON
import Model

/// The codecs of tables whose rows are not resources.
extension ExportRecordCodec {
    /// Creates the codec of a table whose first columns identify a row.
    ///
    /// - Parameter refusing: A query with the values of a row as parameters, which returns a row if they are valid; and
    ///   the violation otherwise.
    private init(
        _ kind: String, _ table: String, keys: Int,
        refusing: (unless: String, at: String, detail: String)? = nil, _ columns: [ExportColumn]
    ) {
        let given = columns.map { $0.expression(of: table) }
        let (names, places) = (columns.map { "\(table).\($0.column)" }, columns.indices.map { "?\($0 + 1)" })
        let same = zip(names, places).map { "\($0) IS \($1)" }
        // Compares the row whose first columns have the given values, column by column.
        let comparison = SQLText(
            """
            SELECT \(same.joined(separator: ", ")) FROM \(table)
            WHERE \(zip(names, places).prefix(keys).map { "\($0) = \($1)" }.joined(separator: " AND "))
            """)
        let list = columns.map(\.column).joined(separator: ", ")
        let insertion = SQLText("INSERT INTO \(table) (\(list)) VALUES (\(places.joined(separator: ", ")))")
        let rule = refusing.map { SQLText($0.unless) }
        self.init(
            kind: kind,
            // Sorted by the primary key, so that no sorting is needed. The keys of readers and clubs have the same order
            // after an import.
            whole: SQLText(
                """
                SELECT \(given.joined(separator: ", ")) FROM \(table)
                ORDER BY \(names.prefix(keys).joined(separator: ", "))
                """),
            write: { statement, _, json in
                for (index, column) in columns.enumerated() { column.write(statement, at: Int32(index), to: &json) }
            },
            read: { line, state throws(RequestError) in
                var cells: [DatabaseValue] = []
                for column in columns { cells.append(try column.requiredCell(line, state)) }
                let differences = try state.query(
                    state.db.statement(comparison).bind(cells).first { row in
                        columns.indices.filter { row.integer(Int32($0)) == 0 }
                    })
                // A future time was stored as the time of its import.
                for column in (differences ?? []).map({ columns[$0] }) where !column.isFuture(in: line) {
                    throw .refused(.importDiffers, "The existing row differs in: \(column.member).")
                }
                if differences != nil { return CommandDecision([]) }
                if let refusing, let rule,
                    try !state.query(state.db.statement(rule).bind(cells).hasRow())
                {
                    throw .violation("/\(refusing.at)", refusing.detail)
                }
                return CommandDecision([UnloggedWrite(insertion, cells)], outcome: CommandOutcome(effect: .created))
            })
    }

    static let claims = ExportRecordCodec(
        "claim", "claims", keys: 2,
        refusing: (
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
            """, at: "reader", detail: "must be the reader whose resource has this id"
        ),
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
        refusing: (
            unless: "SELECT 1 WHERE ?3 <> '' AND NOT EXISTS (SELECT 1 FROM members WHERE club = ?1 AND reader = ?2)",
            at: "reader", detail: "must not be a member of the club, and must have a name"
        ),
        [.init("club", .key("clubs")), .init("reader", .key("readers")), .init("name", .text)])

    /// The codec for the guardians of managed accounts. The import is a change of the managed reader.
    static let guardianships: ExportRecordCodec = {
        var codec = guardianshipRows
        codec.read = { line, state throws(RequestError) in
            let decision = try guardianshipRows.read(line, state)
            guard !decision.changes.isEmpty, let id = line.id("reader"),
                let old = try state.query(ReaderTable.find(id, in: state.db))
            else { return decision }
            var new = old
            new.guardian = line.id("guardian")
            let write = RowWrite<ReaderTable>(before: old, after: new, keepsTimes: true)
            return CommandDecision([write] + decision.changes)
        }
        return codec
    }()

    private static let guardianshipRows = ExportRecordCodec(
        "guardianship", "guardianships", keys: 1,
        refusing: (
            unless: """
            SELECT 1 FROM readers WHERE key = ?1 AND role = 'reader' AND is_librarian = 0 AND key <> ?2
                AND NOT EXISTS (SELECT 1 FROM guardianships WHERE reader = ?2 OR guardian = ?1)
            """, at: "guardian",
            detail:
                "needs two readers: the reader must not be an administrator or a guardian, and the guardian must not have a guardian"
        ),
        [.init("reader", .key("readers")), .init("guardian", .key("readers"))])
}
