package import Model

extension Command {
    /// The kinds of resources that clients can create under their own ids.
    static let claimable: Set<ResourceKind> = [
        .reading, .entry, .note, .club, .meeting, .milestone, .standing, .joinRequest, .shelf, .edition, .run,
    ]

    /// Returns the command with the client's id for the resource of a kind that it creates.
    package func claiming(_ claim: ClientChosenID, _ kind: ResourceKind) -> Command {
        guard Self.claimable.contains(kind), let table = StoredTable.ofKind[kind]?.resource else {
            preconditionFailure("no client chooses the id of a \(kind)")
        }
        return claiming(claim, in: table)
    }
}

extension ResourceTable {
    /// Returns the row with an id if it is everyone's, the actor's own, or in one of the actor's clubs.
    @_semantics("optimize.sil.specialize.generic.never")
    static func seen(
        _ id: ResourceID, by actor: CommandActor, _ state: borrowing WriteState
    ) throws(RequestError) -> Row? {
        guard let row = try state.query(find(id, in: state.db)) else { return nil }
        let scope = scope(of: row)
        if let club = scope.club {
            return try state.query(MemberTable.find(reader: actor.reader.key, club: club, in: state.db)) == nil
                ? nil : row
        }
        return scope == .everyone || scope == .reader(key: actor.reader.key) ? row : nil
    }
}

extension NoteTable {
    /// Returns the note with an id. The author finds it even after leaving its club.
    static func seen(
        _ id: ResourceID, by actor: CommandActor, _ state: borrowing WriteState
    ) throws(RequestError) -> Note? {
        try state.query(
            find(id, seenBy: actor.reader.key, in: state.db).map { note throws(SQLiteError) in
                try shown(note, to: actor.reader.key, in: state.db)
            })
    }
}

extension JoinRequestTable {
    /// Returns the actor's own request with an id.
    static func seen(
        _ id: ResourceID, by actor: CommandActor, _ state: borrowing WriteState
    ) throws(RequestError) -> JoinRequest? {
        try state.query(find(id, in: state.db)).flatMap { $0.readerKey == actor.reader.key ? $0 : nil }
    }
}
