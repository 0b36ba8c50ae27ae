package import Model

extension Command {
    /// Deletes a reader's account. Readers confirm with their name; administrators can delete other readers, and
    /// guardians their managed accounts. The last administrator and guardians of managed accounts must stay. Tokens and
    /// other credentials end at once, and the rest is deleted later: see `ReaderDeparture`.
    package static func deleteReader(_ id: ResourceID, confirmedBy name: String? = nil) -> Command {
        Command { state, actor throws(RequestError) in
            let viewer = actor.viewer
            let isOther = viewer.reader != id
            let reader = try state.found(ReaderTable.find(id, in: state.db)) {
                !isOther || viewer.role == .administrator || $0.guardian == viewer.reader
            }
            try actor.precondition.check(reader)
            let isConfirmed = name.map { Array($0.utf8) == Array(reader.name.utf8) }
            guard isConfirmed ?? (isOther && viewer.role == .administrator) else {
                throw .refused(
                    .confirmationMissing,
                    "Nothing was done: the query parameter confirm must be the reader's name, as in /v1/readers/\(id).")
            }
            try state.demandAnotherAdministrator(than: reader)
            try state.demandNoManagedAccounts(of: reader)
            let tokens = try state.ending(TokenTable.self, TokenTable.all(of: "reader", reader.key, in: state.db))
            let links = try state.ending(
                OneTimeLinkTable.self,
                OneTimeLinkTable.all(of: "maker", reader.key, in: state.db)
                    + OneTimeLinkTable.all(of: "reader", reader.key, in: state.db).filter { $0.makerKey != reader.key })
            let streams = try state.read(NamedStreamTable.all(ofReader: reader.key, in: state.db))
            return CommandDecision(
                [RowWrite<ReaderTable>(before: reader, after: nil)] + tokens + links
                    + streams.map { StreamWrite(before: $0, after: nil) } + [
                        ReaderDeparture.DepartureStart(reader: reader.key)
                    ])
        }
    }

    /// Sends others the next events of a reader's departure. The writer repeats it until there are none.
    static let tellDeparture = Command { state, actor throws(RequestError) in
        guard let departure = try state.read(ReaderDeparture.first(in: state.db)), departure.stage == .clubs else {
            return CommandDecision([])
        }
        let reader = departure.reader
        if let member = try state.read(MemberTable.all(of: "reader", reader, in: state.db).first) {
            return CommandDecision(try state.departure(of: member, at: actor.now))
        }
        let ends = try state.read(DepartingReaderData.next(of: reader, in: state.db))
        if !ends.isEmpty { return CommandDecision(ends) }
        // Blocks of the reader have no purpose any more.
        if let block = try state.read(ReaderBlockTable.first(of: reader, in: state.db)) {
            return CommandDecision(try state.unblocking(block))
        }
        return CommandDecision([departure.eventsSent])
    }
}

/// The data of a reader that others see, besides memberships, in slices.
enum DepartingReaderData {
    /// The maximum number of rows that one command changes.
    private static let countMax: Int64 = 100
    private typealias Step = @Sendable (Int64, SQLiteConnection) throws(SQLiteError) -> [any CommandChange]

    fileprivate static func next(of reader: Int64, in db: SQLiteConnection) throws(SQLiteError) -> [any CommandChange] {
        for step in steps {
            let changes = try step(reader, db)
            if !changes.isEmpty { return changes }
        }
        return []
    }

    private static let steps: [Step] = [
        step(JoinRequestTable.self, "join_requests.reader = ?1") { $0.updates(to: nil) },
        step(MemberRemovalTable.self, "removals.reader = ?1") { MemberRemovalTable.deletions(of: [$0]) },
        step(InvitationTable.self, "invitations.maker = ?1") { InvitationTable.deletions(of: [$0]) },
        // The notes in clubs keep their place in the thread, without their words.
        step(
            NoteTable.self,
            """
            notes.author = ?1 AND notes.club IS NOT NULL AND (notes.body <> '' OR notes.quote IS NOT NULL)
            ORDER BY notes.key
            """
        ) { [NoteTable.update(of: $0) { $0.forgetWords() }] },
        // The reader's own reports are deleted, and others stay without the reader's words.
        step(ContentReportTable.self, "reports.reporter = ?1") { ContentReportTable.deletions(of: [$0]) },
        // A copy may be of the reader's words, or of a club that ended with its last member.
        step(
            ContentReportTable.self,
            """
            reports.copy IS NOT NULL AND (reports.author = (SELECT id FROM readers WHERE key = ?1)
                OR reports.about = 'note' AND reports.subject IN (
                    SELECT id FROM notes WHERE notes.author = ?1 AND is_nameless = 1)
                OR reports.about = 'club' AND NOT EXISTS (SELECT 1 FROM clubs WHERE clubs.id = reports.subject))
            """
        ) { [ContentReportTable.update(of: $0) { $0.copy = nil }] },
        step(ContentReportTable.self, "reports.decider = ?1 AND reports.remark IS NOT NULL") {
            [ContentReportTable.update(of: $0) { $0.remark = nil }]
        },
    ]

    /// Returns the step that changes the rows for which a condition on the reader `?1` holds.
    private static func step<Stored: ResourceTable>(
        _: Stored.Type, _ condition: String, _ changes: @escaping @Sendable (Stored.Row) -> [any CommandChange]
    ) -> Step {
        let sql = Stored.rows.sql("WHERE \(condition) LIMIT ?2")
        return { reader, db throws(SQLiteError) in
            try db.statement(sql).bind(reader, countMax).all(Stored.row).flatMap(changes)
        }
    }
}
