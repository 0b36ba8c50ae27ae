import Model

extension WriteState {
    /// Returns the changes that end a membership of a reader who left. A club without an owner gets the member who has
    /// moderated it longest, or else has been in it longest. A club without members ends.
    func departure(of member: Member, at now: Instant) throws(RequestError) -> [any CommandChange] {
        let club = try found(ClubTable.find(key: member.clubKey, in: db))
        guard try query(MemberTable.hasOther(than: member, in: db)) else { return try end(of: club, now: now).changes }
        var succession: [any CommandChange] = []
        if member.role == .owner, try !query(MemberTable.hasOther(than: member, isOwner: true, in: db)),
            let heir = try query(MemberTable.nextOwner(of: member, in: db))
        {
            var owner = heir
            owner.role = .owner
            succession =
                [RowWrite<MemberTable>(before: heir, after: owner)]
                + (try visibilityUpdates(of: owner, before: heir.role, in: club))
        }
        let going = try leaving(of: member)
        return succession + (try query(StoredTable.changes(atEndOf: .member, member.key, in: db)))
            + [RowWrite<MemberTable>(before: member, after: nil)] + going.steps + [going.events]
            + (try endOfInvitations(by: member))
    }

    /// Returns the changes that end a club with all its contents; `subject` is the index of the club's own. Each member
    /// receives an event.
    func end(of club: Club, now: Instant) throws(RequestError) -> (changes: [any CommandChange], subject: Int) {
        let before = try query(StoredTable.changes(atEndOf: .club, club.key, in: db))
        var after = try listing(of: nil, id: club.id, now: now)
        var events: [any CommandChange] = []
        for member in try query(MemberTable.all(of: "club", club.key, in: db)) {
            let going = try leaving(of: member)
            // Marks fall after the members and notes are deleted, or else each note would be hidden from each member.
            after += going.steps
            events.append(going.events)
        }
        return (before + [RowWrite<ClubTable>(before: club, after: nil)] + after + events, before.count)
    }

    /// Throws if the reader is the last administrator who is not suspended.
    func demandAnotherAdministrator(than reader: Reader) throws(RequestError) {
        guard reader.role == .administrator, try !query(ReaderTable.hasAdministrator(except: reader.key, in: db))
        else {
            return
        }
        throw .refused(
            .lastAdministrator, "This is the last administrator. Make another reader an administrator first.")
    }
}
