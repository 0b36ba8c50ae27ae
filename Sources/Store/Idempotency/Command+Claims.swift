package import Model

extension Command {
    /// Returns the command with the client's id for the resource of a kind that it creates.
    package func claiming(_ claim: ClientChosenID, _ kind: ResourceKind) -> Command {
        guard let claiming = Self.claims[kind] else { preconditionFailure("no client chooses the id of a \(kind)") }
        return claiming(self, claim)
    }

    /// The kinds of resources that clients can create under their own ids.
    static let claims: [ResourceKind: @Sendable (Command, ClientChosenID) -> Command] = [
        .reading: { $0.claiming($1, in: ReadingTable.self) },
        .entry: { $0.claiming($1, in: EntryTable.self) },
        // The author finds a note even after leaving its club.
        .note: {
            $0.claiming($1, in: NoteTable.self) { id, state, actor throws(RequestError) in
                try state.read(
                    NoteTable.find(id, seenBy: actor.reader.key, in: state.db).map { note throws(SQLiteError) in
                        try NoteTable.shown(note, to: actor.reader.key, in: state.db)
                    })
            }
        },
        .club: { $0.claiming($1, in: ClubTable.self) },
        .meeting: { $0.claiming($1, in: MeetingTable.self) },
        .milestone: { $0.claiming($1, in: MilestoneTable.self) },
        .standing: { $0.claiming($1, in: StandingTable.self) },
        .joinRequest: {
            $0.claiming($1, in: JoinRequestTable.self) { id, state, actor throws(RequestError) in
                try state.read(JoinRequestTable.find(id, in: state.db)).flatMap {
                    $0.readerKey == actor.reader.key ? $0 : nil
                }
            }
        },
        .shelf: { $0.claiming($1, in: ShelfTable.self) },
        .edition: { $0.claiming($1, in: EditionTable.self) },
        .run: { $0.claiming($1, in: ClubRunTable.self) },
    ]
}
