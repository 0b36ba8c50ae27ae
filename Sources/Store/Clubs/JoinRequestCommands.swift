package import Model

extension WriteState {
    /// Who has come in otherwise waits no longer.
    func answered(_ viewer: Viewer, _ club: Club) throws(LecternError) -> [any Proposal] {
        let waiting = try query { db throws(SQLiteError) in
            try JoinRequestTable.waiting(reader: viewer.readerKey, club: club.key, in: db)
        }
        guard let waiting else { return [] }
        var answered = waiting
        answered.state = .accepted
        return [Write<JoinRequestTable>(before: waiting, after: answered), TellAsker(before: waiting, after: answered)]
    }
}

/// Asks a listed club to be let in.
package struct AskToJoin: Command {
    let id: ResourceID
    let club: ResourceID
    let draft: JoinRequestDraft
    let viewer: Viewer
    let now: Instant

    /// The viewer's request.
    package init(id: ResourceID, club: ResourceID, draft: JoinRequestDraft, viewer: Viewer, now: Instant) {
        self.id = id
        self.club = club
        self.draft = draft
        self.viewer = viewer
        self.now = now
    }

    /// Who is in no way in the club may, unless they are banned; who waits already waits on.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let club = club
        let reader = viewer.readerKey
        guard let listing = try state.query({ db throws(SQLiteError) in try ListingTable.find(club, in: db) }) else {
            throw .notFound
        }
        let (member, waiting) = try state.query { db throws(SQLiteError) in
            (
                try MemberTable.find(reader: reader, club: listing.key, in: db),
                try JoinRequestTable.waiting(reader: reader, club: listing.key, in: db)
            )
        }
        guard member == nil else { throw .refused(.alreadyMember, "You are in this club.") }
        let removal = try state.query { db throws(SQLiteError) in
            try RemovalTable.find(reader: reader, club: listing.key, in: db)
        }
        if removal?.isBanned == true {
            throw .refused(.removedFromClub, "You were banned from this club: it takes no requests of yours.")
        }
        if let waiting { return Decision([Write<JoinRequestTable>(before: waiting, after: waiting)]) }
        let request = JoinRequest(
            id: id, club: (listing.id, listing.key), reader: (viewer.reader, reader),
            name: try state.name(of: viewer.reader), message: draft.message, createdAt: now)
        return Decision([Write<JoinRequestTable>(before: nil, after: request), TellAsker(before: nil, after: request)])
    }
}

/// Lets in who asks, or does not.
package struct AnswerJoinRequest: Command {
    let id: ResourceID
    let club: ResourceID
    let patch: JoinRequestPatch
    let member: ResourceID
    let precondition: Precondition
    let viewer: Viewer
    let now: Instant

    /// An answer to a request.
    package init(
        id: ResourceID, club: ResourceID, patch: JoinRequestPatch, precondition: Precondition, viewer: Viewer,
        now: Instant
    ) {
        self.id = id
        self.club = club
        self.patch = patch
        member = ResourceID(madeAt: now)
        self.precondition = precondition
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.invite`. An answer is final.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .invite)
        let id = id
        let found = try state.query { db throws(SQLiteError) in try JoinRequestTable.find(id, in: db) }
        guard let old = found, old.clubKey == club.key else { throw .notFound }
        try precondition.check(old)
        guard let answer = patch.state, answer != old.state else {
            return Decision([Write<JoinRequestTable>(before: old, after: old)])
        }
        guard old.state == .waiting else {
            throw .refused(.requestAnswered, "The request has been answered: it was \(old.state.rawValue).")
        }
        var new = old
        new.state = answer
        let told: [any Proposal] = [
            Write<JoinRequestTable>(before: old, after: new), TellAsker(before: old, after: new),
        ]
        guard answer == .accepted else { return Decision(told) }
        let member = Member(
            id: member, club: (club.id, club.key), reader: (old.reader, old.readerKey),
            name: try state.name(of: old.reader), role: .member, createdAt: now)
        let coming = try state.coming(of: member, to: club)
        let removal = try state.removal(of: old.readerKey, from: club)
        return Decision(
            told + coming.before + [Write<MemberTable>(before: nil, after: member)] + coming.after
                + (removal == nil ? [] : [Write<RemovalTable>(before: removal, after: nil)]))
    }
}

/// Takes one's request back; also one that was answered, to see it no more.
package struct DeleteJoinRequest: Command {
    let id: ResourceID
    let viewer: Viewer

    /// The end of the viewer's request.
    package init(id: ResourceID, viewer: Viewer) {
        self.id = id
        self.viewer = viewer
    }

    /// Who asked may; everybody else's are not found.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        let found = try state.query { db throws(SQLiteError) in try JoinRequestTable.find(id, in: db) }
        guard let found, found.readerKey == viewer.readerKey else { throw .notFound }
        return Decision([Write<JoinRequestTable>(before: found, after: nil), TellAsker(before: found, after: nil)])
    }
}
