package import Model

/// Makes a secret address for a club's calendar.
package struct CreateCalendar: Command {
    /// Addresses of one member.
    package static let countMax = 20

    let id: ResourceID
    let club: ResourceID
    let digest: Digest
    let viewer: Viewer
    let now: Instant

    /// The viewer's address, with the digest of its secret.
    package init(id: ResourceID, club: ResourceID, digest: Digest, viewer: Viewer, now: Instant) {
        self.id = id
        self.club = club
        self.digest = digest
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.see`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, member) = try state.club(club, viewer, .see)
        let count = try state.query { db throws(SQLiteError) in try CalendarTable.all(member: member.key, in: db).count
        }
        guard count < Self.countMax else {
            throw .limitReached(
                limit: "calendarsMax", max: Self.countMax,
                "You have \(Self.countMax) addresses of this calendar. Revoke one first.")
        }
        var calendar = Calendar(id: id, club: club.id, member: (member.key, viewer.readerKey), createdAt: now)
        calendar.digest = digest
        return Decision([Write<CalendarTable>(before: nil, after: calendar)])
    }
}

/// Revokes a calendar's address.
package struct DeleteCalendar: Command {
    let id: ResourceID
    let club: ResourceID
    let viewer: Viewer

    /// The end of the viewer's address.
    package init(id: ResourceID, club: ResourceID, viewer: Viewer) {
        self.id = id
        self.club = club
        self.viewer = viewer
    }

    /// Whose it is may; everybody else's are not found.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        let (_, member) = try state.club(club, viewer, .see)
        let found = try state.query { db throws(SQLiteError) in
            try CalendarTable.all(member: member.key, in: db).first { $0.id == id }
        }
        guard let found else { throw .notFound }
        return Decision([Write<CalendarTable>(before: found, after: nil)])
    }
}
