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
            let links = try state.ending(OneTimeLinkTable.self, OneTimeLinkTable.all(byOrFor: reader.key, in: state.db))
            let streams = try state.query(NamedStreamTable.all(of: "reader", reader.key, in: state.db))
            return CommandDecision(
                [RowWrite<ReaderTable>(before: reader, after: nil)] + tokens + links
                    + streams.map { StreamWrite(before: $0, after: nil) } + [
                        ReaderDeparture.DepartureStart(reader: reader.key)
                    ])
        }
    }

    /// The maximum number of rows of each kind that one command changes when a reader leaves.
    private static let departureRowsMax: Int64 = 100

    /// Sends others the next events of a reader's departure. The writer repeats it until there are none.
    static let tellDeparture = Command { state, actor throws(RequestError) in
        guard let departure = try state.query(ReaderDeparture.first(in: state.db)), departure.stage == .clubs else {
            return CommandDecision([])
        }
        let reader = departure.reader
        if let member = try state.query(MemberTable.all(of: "reader", reader, in: state.db).first) {
            return CommandDecision(try state.departure(of: member, at: actor.now))
        }
        let ends = try state.query(
            StoredTable.changes(ofDeparted: reader, limit: departureRowsMax, in: state.db))
        if !ends.isEmpty { return CommandDecision(ends) }
        // Blocks of the reader have no purpose any more.
        if let block = try state.query(ReaderBlockTable.first(of: reader, in: state.db)) {
            return CommandDecision(try state.unblocking(block))
        }
        return CommandDecision([departure.eventsSent])
    }
}
