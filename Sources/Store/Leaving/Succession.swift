import Model

extension WriteState {
    /// The end of the membership of who has left. A club that they leave without an owner gets the one who moderated it longest,
    /// or else was in it longest; one that nobody is in any more ends.
    func departure(of member: Member, at now: Instant) throws(LecternError) -> [any Proposal] {
        let club = try found(ClubTable.find(key: member.clubKey, in: db))
        let others = try read(MemberTable.all(of: club.key, in: db)).filter { $0.id != member.id }
        guard !others.isEmpty else { return try end(of: club, now: now).proposals }
        var succession: [any Proposal] = []
        if member.role == .owner, !others.contains(where: { $0.role == .owner }),
            let heir = try read(MemberTable.heir(of: member, in: db))
        {
            var owner = heir
            owner.role = .owner
            succession =
                [Write<MemberTable>(before: heir, after: owner)]
                + (try hiding(from: owner, before: heir.role, in: club))
                + (try confiding(to: owner, before: heir.role, in: club))
                + (try restatements(to: owner, before: heir.role)) + [markingSight(of: owner, in: club)]
        }
        let going = try going(of: member)
        return succession + (try read(StoredTable.ends(with: member, in: db)))
            + [Write<MemberTable>(before: member, after: nil)] + going.steps + [going.told]
            + (try endOfInvitations(by: member))
    }

    /// The end of a club, with all that is in it; `subject` is the club's own. Each member is told.
    func end(of club: Club, now: Instant) throws(LecternError) -> (proposals: [any Proposal], subject: Int) {
        var before = try read(StoredTable.ends(with: club, in: db))
        var told: [any Proposal] = []
        for member in try read(MemberTable.all(of: club.key, in: db)) {
            let going = try going(of: member)
            before += going.steps
            told.append(going.told)
        }
        let listing = try listing(of: nil, id: club.id, now: now)
        return (before + [Write<ClubTable>(before: club, after: nil)] + listing + told, before.count)
    }

    /// There is always an administrator who may come in.
    func demandAnotherAdministrator(than reader: Reader) throws(LecternError) {
        guard reader.role == .administrator, try read(ReaderTable.administrators(except: reader.key, in: db)) == 0
        else {
            return
        }
        throw .refused(.lastAdministrator, "This is the last administrator. Make another one first.")
    }
}
