package import Model

/// The commands that create a resource under the client's id. Each one says how to find an existing resource that the
/// actor may see.
extension Command {
    /// The kinds of resources that clients can create under their own ids.
    static let claimed: [ResourceKind] = [
        .reading, .entry, .note, .club, .meeting, .milestone, .standing, .joinRequest, .shelf, .edition,
        .run,
    ]

    /// See `createReading(_:)`.
    package static func createReading(_ draft: ReadingDraft, as claim: ClientChosenID) -> Command {
        createReading(draft).claiming(claim, in: ReadingTable.self) { state, actor throws(RequestError) in
            try state.reading(claim.id, of: actor)
        }
    }

    /// See `createEntry(of:_:)`.
    package static func createEntry(of reading: ResourceID, _ draft: EntryDraft, as claim: ClientChosenID) -> Command {
        createEntry(of: reading, draft).claiming(claim, in: EntryTable.self) { state, actor throws(RequestError) in
            let whole = try state.reading(reading, of: actor)
            return try state.found(EntryTable.find(claim.id, in: state.db)) { $0.readingKey == whole.key }
        }
    }

    /// See `createEntry(ofBook:_:)`.
    package static func createEntry(ofBook book: ResourceID, _ draft: EntryDraft, as claim: ClientChosenID) -> Command {
        createEntry(ofBook: book, draft).claiming(claim, in: EntryTable.self) { state, actor throws(RequestError) in
            let entry = try state.found(EntryTable.find(claim.id, in: state.db)) { $0.readerKey == actor.reader.key }
            _ = try state.found(ReadingTable.find(key: entry.readingKey, in: state.db)) { $0.book == book }
            return entry
        }
    }

    /// See `createClub(_:)`.
    package static func createClub(_ patch: ClubPatch, as claim: ClientChosenID) -> Command {
        createClub(patch).claiming(claim, in: ClubTable.self) { state, actor throws(RequestError) in
            try state.club(claim.id, actor, .see).0
        }
    }

    /// See `createMeeting(of:_:)`.
    package static func createMeeting(of club: ResourceID, _ patch: MeetingPatch, as claim: ClientChosenID) -> Command {
        createMeeting(of: club, patch).claiming(claim, in: MeetingTable.self) { state, actor throws(RequestError) in
            let (club, _) = try state.club(club, actor, .see)
            return try state.found(MeetingTable.find(claim.id, of: club.key, in: state.db))
        }
    }

    /// See `createMilestone(of:_:)`.
    package static func createMilestone(of club: ResourceID, _ patch: MilestonePatch, as claim: ClientChosenID)
        -> Command
    {
        createMilestone(of: club, patch).claiming(claim, in: MilestoneTable.self) { state, actor throws(RequestError) in
            let (club, _) = try state.club(club, actor, .see)
            return try state.found(MilestoneTable.find(claim.id, of: club.key, in: state.db))
        }
    }

    /// See `createStanding(_:_:)`.
    package static func createStanding(_ club: ResourceID, _ draft: StandingDraft, as claim: ClientChosenID) -> Command
    {
        createStanding(club, draft).claiming(claim, in: StandingTable.self) { state, actor throws(RequestError) in
            let (club, _) = try state.club(club, actor, .see)
            return try state.found(StandingTable.find(claim.id, of: club.key, in: state.db))
        }
    }

    /// See `createJoinRequest(_:)`.
    package static func createJoinRequest(_ draft: JoinRequestDraft, as claim: ClientChosenID) -> Command {
        createJoinRequest(draft).claiming(claim, in: JoinRequestTable.self) { state, actor throws(RequestError) in
            try state.found(JoinRequestTable.find(claim.id, in: state.db)) { $0.readerKey == actor.reader.key }
        }
    }

    /// See `createShelf(_:)`.
    package static func createShelf(_ patch: ShelfPatch, as claim: ClientChosenID) -> Command {
        createShelf(patch).claiming(claim, in: ShelfTable.self) { state, actor throws(RequestError) in
            try state.found(ShelfTable.find(claim.id, in: state.db)) { $0.readerKey == actor.reader.key }
        }
    }

    /// See `createEdition(of:_:)`.
    package static func createEdition(_ draft: EditionDraft, as claim: ClientChosenID) -> Command {
        let creating = Command { state, actor throws(RequestError) in
            try state.edition(of: state.book(named: draft.book), draft.edition, actor)
        }
        return creating.claiming(claim, in: EditionTable.self) { state, _ throws(RequestError) in
            try state.found(EditionTable.find(claim.id, in: state.db))
        }
    }

    /// Adds a run to a club under the client's id; see `createRun(of:_:)`.
    package static func createRun(of club: ResourceID, _ draft: ClubRunDraft, as claim: ClientChosenID) -> Command {
        createRun(of: club, draft).claiming(claim, in: ClubRunTable.self) { state, actor throws(RequestError) in
            let (club, _) = try state.club(club, actor, .see)
            return try state.found(ClubRunTable.find(claim.id, of: club.key, in: state.db))
        }
    }

    /// Returns this command with the client's id for the note or reply that it creates. The author finds the note even
    /// after leaving its club.
    package func claiming(note claim: ClientChosenID) -> Command {
        claiming(claim, in: NoteTable.self) { state, actor throws(RequestError) in
            let note = try state.note(claim.id, actor)
            return try state.read(NoteTable.shown(note, to: actor.reader.key, in: state.db))
        }
    }
}
