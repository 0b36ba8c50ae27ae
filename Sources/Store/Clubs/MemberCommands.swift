import JSON
package import Model

extension Command {
    /// The maximum number of clubs of one reader. Each club costs time at each of their entries, and at each page of
    /// their changes.
    fileprivate static let clubsMax = CountLimit("clubsMax", 200) {
        "You are in \($0) clubs, which is the maximum. Leave one first."
    }

    /// Joins a club by an invitation. Anyone with the code of an open invitation may, except readers who were removed
    /// from the club. Unknown, used and expired codes return the same error.
    package static func createMembership(code: String, sharing: SharingChoice = SharingChoice()) -> Command {
        Command { state, actor throws(RequestError) in
            guard let old = try state.query(InvitationTable.find(code: code, in: state.db)),
                let club = try state.query(ClubTable.find(old.club, in: state.db))
            else { throw .closedInvitation }
            let reader = actor.reader
            if let already = try state.query(MemberTable.find(reader: reader.key, club: club.key, in: state.db)) {
                return CommandDecision([RowWrite<MemberTable>(before: already, after: already)])
            }
            guard old.isOpen(at: actor.now) else { throw .closedInvitation }
            guard !club.isArchived else {
                throw .refused(
                    .clubArchived, "The club is archived, so nobody can join it. Its owner can set isArchived to false."
                )
            }
            guard try state.removal(of: reader.key, from: club.key) == nil else {
                throw .refused(
                    .removedFromClub,
                    "You were removed from this club. Codes do not work for you; a moderator can let you back in.")
            }
            let coming = try state.joining(
                of: reader, named: state.name(of: reader.id), to: club, saying: sharing, at: actor.now)
            return CommandDecision(
                coming.member + coming.after + [InvitationTable.update(of: old) { $0.uses += 1 }]
                    + (try state.answered(actor, club)),
                subject: coming.member.count - 1)
        }
    }

    /// Changes a member's role or sharing. Roles need `ClubAction.changeRoles`, and there is always an owner. Only
    /// members change their own sharing.
    package static func updateMember(_ reader: ResourceID, of club: ResourceID, _ patch: ClubMemberPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, own) = try state.club(club, actor, .see)
            if patch.role != nil { try ClubRights.demand(.changeRoles, of: own.role) }
            let old = try state.member(reader, of: club)
            if old.id != own.id {
                // Even an empty patch needs the right to change something.
                if patch.changesSharing { throw .refused(.memberOnly, "Only the member may change what they share.") }
                try ClubRights.demand(.changeRoles, of: own.role)
            }
            try actor.precondition.check(old)
            var new = old
            new.role = patch.role ?? old.role
            new.shares = patch.shares ?? old.shares
            patch.sharesWithModerators.apply(to: &new.sharesWithModerators)
            if old.role == .owner, new.role != .owner { try state.demandAnotherOwner(of: club, than: old) }
            let visibility =
                new.role == old.role ? [] : try state.visibilityUpdates(of: new, before: old.role, in: club)
            let isSame = (new.shares, new.sharesWithModerators) == (old.shares, old.sharesWithModerators)
            let standings = isSame ? [] : try state.standings(sharedBy: new, at: actor.now)
            let invitations = ClubRights.allow(.invite, new.role) ? [] : try state.endOfInvitations(by: old)
            return CommandDecision(
                [RowWrite<MemberTable>(before: old, after: new)] + visibility + standings + invitations)
        }
    }

    /// Ends a membership, the actor's own or another's; see `ClubAction.leave`, `removeMembers` and `removeModerators`.
    ///
    /// There is always an owner. The member's invitations end too. A removal is recorded, and a banned reader cannot
    /// ask to join again. Members who leave choose the disposition of their notes, and may change it later, as removed
    /// members may.
    package static func deleteMember(
        _ reader: ResourceID, of club: ResourceID, isBanned: Bool, leaving noteDisposition: NotesOnLeaving? = nil
    ) -> Command {
        Command { state, actor throws(RequestError) in
            if let noteDisposition, reader == actor.reader.id, let left = try state.left(club, actor) {
                try actor.precondition.check(nil as Member?)
                let notes = try state.leaving(noteDisposition, in: left.key, by: actor.reader.key)
                return CommandDecision(notes.beginning + notes.others, outcome: CommandOutcome(effect: .deleted))
            }
            let (club, own) = try state.club(club, actor, .leave)
            let member = try state.member(reader, of: club)
            if member.id != own.id {
                try ClubRights.demand(member.role.moderates ? .removeModerators : .removeMembers, of: own.role)
            }
            try actor.precondition.check(member)
            if member.role == .owner { try state.demandAnotherOwner(of: club, than: member) }
            let notes = try state.leaving(noteDisposition ?? .keep, in: club.key, by: member.readerKey)
            let before =
                notes.beginning + (try state.query(StoredTable.changes(atEndOf: .member, member.key, in: state.db)))
            let going = try state.leaving(of: member)
            var ends = try state.endOfInvitations(by: member)
            if member.id != own.id {
                let removal = MemberRemoval(id: actor.newID, of: member, isBanned: isBanned, createdAt: actor.now)
                ends.append(RowWrite<MemberRemovalTable>(before: nil, after: removal))
            }
            // The notes of others change last: the member that leaves does not receive these changes.
            return CommandDecision(
                before + [RowWrite<MemberTable>(before: member, after: nil)] + going.steps + [going.events]
                    + notes.others
                    + ends,
                subject: before.count)
        }
    }
}

extension RequestError {
    /// The error for an unknown, used or expired code.
    static let closedInvitation = RequestError.violation("/invitation", "is not the code of an open invitation")
}

extension WriteState {
    /// Returns the changes when a reader joins: the marks and the member, and then the events and the renaming of
    /// earlier notes. If the reader did not join by their own action, `sharing` is `nil`, and the member shares no more
    /// than their settings say. A reader who is being created has no settings yet.
    func joining(
        of reader: RowReference, named name: String, as role: ClubMemberRole = .member, to club: Club,
        saying sharing: SharingChoice? = nil, at now: Instant
    ) throws(RequestError) -> (member: [any CommandChange], after: [any CommandChange]) {
        try Command.clubsMax.demandRoom(beside: query(MemberTable.all(of: "reader", reader.key, in: db)).count)
        let changes = try visibilityUpdates(of: reader.key, as: role, to: club)
        var member = Member(
            club: (club.id, club.key), reader: reader, name: name, role: role, createdAt: now)
        let settings =
            try query(SettingsTable.find(key: reader.key, in: db))?.defaultShareLevel
            ?? Settings.usualShareLevel
        if let sharing {
            sharing.apply(to: &member, in: club, settings: settings)
        } else {
            member.share(asIn: club, settings: settings)
        }
        let wasThere = try query(MemberTable.name(of: reader.key, inClub: club.key, in: db)) != nil
        let names = wasThere ? try naming(notesOf: reader.key, in: club.key, as: [club.key: member.name]) : []
        return (
            changes + [RowWrite<MemberTable>(before: nil, after: member)],
            [LoggedEvent.membership(.created, in: club.id, of: reader.key)] + names
        )
    }

    /// Returns the updates of marks and hidden authors when a reader joins a club. Only members have marks, so those of
    /// a reader without a club must be derived.
    func visibilityUpdates(
        of reader: Int64, as role: ClubMemberRole, to club: Club
    ) throws(RequestError) -> [any CommandChange] {
        var changes: [any CommandChange] = []
        if try query(MemberTable.all(of: "reader", reader, in: db)).isEmpty {
            changes.append(HighWaterMarkUpdate(reader, .derive(book: nil)))
        }
        if club.seesAhead(role) {
            changes.append(HighWaterMarkUpdate(reader, .set([HighWaterMarkKey(aheadIn: club.key): 1])))
        }
        if !role.moderates {
            changes += try query(ReaderBlockTable.all(of: "owner", reader, in: db)).flatMap {
                BlockVisibility.hiding(true, of: $0.readerKey, from: reader, in: club.key)
            }
        }
        return changes
    }

    /// Returns the changes when a member leaves: the end of their marks in the club, or of all marks with their last
    /// club, and the event.
    func leaving(of member: Member) throws(RequestError) -> (steps: [any CommandChange], events: any CommandChange) {
        let reader = member.readerKey
        var marks: HighWaterMarks.Values = [HighWaterMarkKey(aheadIn: member.clubKey): 0]
        if try !query(MemberTable.all(of: "reader", reader, in: db)).contains(where: { $0.id != member.id }) {
            for key in try query(HighWaterMarks.now(reader, in: db)).keys { marks[key] = 0 }
        }
        let hidden = try query(BlockVisibility.authors(hiddenFrom: reader, in: member.clubKey, db)).flatMap {
            BlockVisibility.hiding(false, of: $0, from: reader, in: member.clubKey)
        }
        return (
            [HighWaterMarkUpdate(reader, .set(marks))] + hidden,
            LoggedEvent.membership(.deleted, in: member.club, of: reader)
        )
    }

    /// Returns the changes to what a member sees when their role changes. The marks come last: the notes that they show
    /// or hide depend on blocks and roles.
    func visibilityUpdates(of member: Member, before role: ClubMemberRole, in club: Club) throws(RequestError)
        -> [any CommandChange]
    {
        try hiding(from: member, before: role, in: club) + moderatorNotes(to: member, before: role, in: club)
            + standingVersionEvents(to: member, before: role) + [markForAll(of: member, in: club)]
    }

    fileprivate func member(_ reader: ResourceID, of club: Club) throws(RequestError) -> Member {
        let reader = try found(ReaderTable.find(reader, in: db))
        return try found(MemberTable.find(reader: reader.key, club: club.key, in: db))
    }

    fileprivate func demandAnotherOwner(of club: Club, than member: Member) throws(RequestError) {
        guard try query(MemberTable.hasOther(than: member, isOwner: true, in: db)) else {
            throw .refused(
                .lastOwner,
                "A club needs an owner. Make another member an owner first, or delete the club with DELETE /v1/clubs/\(club.id)."
            )
        }
    }
}
