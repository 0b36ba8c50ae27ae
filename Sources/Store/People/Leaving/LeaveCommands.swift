package import Model

extension Command {
    /// Deletes a reader's account. Readers confirm with their name; administrators can delete other readers, and
    /// guardians their managed accounts. The last administrator and guardians of managed accounts must stay. Tokens and
    /// other credentials end at once, and the rest is deleted later: see `ReaderDeparture`.
    package static func leave(_ id: ResourceID, saying name: String? = nil, isManaged: Bool = false) -> Command {
        Command { state, actor throws(RequestError) in
            let viewer = actor.viewer
            let reader = try state.found(ReaderTable.find(id, in: state.db)) {
                isManaged ? $0.guardian == viewer.reader : viewer.role == .administrator || viewer.reader == id
            }
            try actor.precondition.check(reader)
            if let name, Array(name.utf8) != Array(reader.name.utf8) {
                throw .refused(
                    .confirmationMissing,
                    isManaged
                        ? "Nothing was done: the query parameter confirm must be the reader's name, as in /v1/readers?guardian=ID."
                        : "Nothing was done: the query parameter confirm must be your name, as in /v1/me.")
            }
            try state.demandAnotherAdministrator(than: reader)
            try state.demandNoManagedAccounts(of: reader)
            let tokens = try state.ending(TokenTable.self, TokenTable.all(ofReader: reader.key, in: state.db))
            let links = try state.ending(
                OneTimeLinkTable.self,
                OneTimeLinkTable.all(maker: reader.key, in: state.db)
                    + OneTimeLinkTable.resets(ofReader: reader.key, in: state.db).filter { $0.makerKey != reader.key })
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
        if let member = try state.read(MemberTable.all(ofReader: reader, in: state.db).first) {
            return CommandDecision(try state.departure(of: member, at: actor.now))
        }
        let ends = try state.read(DepartingReaderData.next(of: reader, in: state.db))
        if !ends.isEmpty { return CommandDecision(ends) }
        // Blocks of the reader have no purpose any more.
        if let block = try state.read(ReaderBlockTable.some(of: reader, limit: 1, in: state.db).first) {
            return CommandDecision(try state.unblocking(block))
        }
        return CommandDecision([departure.eventsSent])
    }
}

/// The data of a reader that others see, besides memberships, in slices.
enum DepartingReaderData {
    /// The maximum number of rows that one command changes.
    private static let countMax: Int64 = 100

    fileprivate static func next(of reader: Int64, in db: SQLiteConnection) throws(SQLiteError) -> [any CommandChange] {
        let asked = try some(JoinRequestTable.self, requests, of: reader, in: db)
        if !asked.isEmpty { return asked.flatMap { $0.updates(to: nil) } }
        let removed = try some(MemberRemovalTable.self, removals, of: reader, in: db)
        if !removed.isEmpty { return MemberRemovalTable.deletions(of: removed) }
        let invited = try some(InvitationTable.self, invitations, of: reader, in: db)
        if !invited.isEmpty { return InvitationTable.deletions(of: invited) }
        let written = try some(NoteTable.self, notes, of: reader, in: db)
        if !written.isEmpty {
            return written.map { NoteTable.update(of: $0) { $0.forgetWords() } }
        }
        return try reports(of: reader, in: db)
    }

    static func some<Stored: ResourceTable>(
        _: Stored.Type, _ sql: SQLText, of reader: Int64, in db: SQLiteConnection
    ) throws(SQLiteError) -> [Stored.Row] {
        try db.statement(sql).bind(reader, countMax).all(Stored.row)
    }

    private static let requests = JoinRequestTable.rows.sql("WHERE join_requests.reader = ?1 LIMIT ?2")
    private static let removals = MemberRemovalTable.rows.sql("WHERE removals.reader = ?1 LIMIT ?2")
    private static let invitations = InvitationTable.rows.sql("WHERE invitations.maker = ?1 LIMIT ?2")
    /// The notes in clubs. They keep their place in the thread, without their words.
    private static let notes = NoteTable.rows.sql(
        "WHERE notes.author = ?1 AND notes.club IS NOT NULL AND (notes.body <> '' OR notes.quote IS NOT NULL) ORDER BY notes.key LIMIT ?2"
    )
}
