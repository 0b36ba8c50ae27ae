package import Model

extension Command {
    /// The maximum number of calendar addresses of one member.
    static let calendarsMax = CountLimit("calendarsMax", 20) {
        "You have \($0) addresses of this calendar, which is the maximum. Delete one first."
    }

    /// Creates a secret address for a club's calendar, with the digest of its secret; see `ClubAction.see`.
    package static func createCalendar(of club: ResourceID, _ digest: SHA256Digest) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, member) = try state.club(club, actor, .see)
            try calendarsMax.demandRoom(
                beside: state.query(CalendarAddressTable.all(of: "member", member.key, in: state.db).count))
            var calendar = CalendarAddress(
                id: actor.newID, club: club.id, member: (member.key, actor.reader.key), createdAt: actor.now)
            calendar.digest = digest
            return CommandDecision([RowWrite<CalendarAddressTable>(before: nil, after: calendar)])
        }
    }

    /// Deletes the actor's own calendar address.
    package static func deleteCalendar(_ id: ResourceID, of club: ResourceID) -> Command {
        deletion(CalendarAddressTable.self) { state, actor throws(RequestError) in
            let (_, member) = try state.club(club, actor, .see)
            return try state.found(CalendarAddressTable.find(id, in: state.db)) { $0.memberKey == member.key }
        }
    }
}
