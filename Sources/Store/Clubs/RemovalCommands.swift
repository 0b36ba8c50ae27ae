package import Model

extension WriteState {
    /// That a reader was taken out of a club; nil when they were not.
    func removal(of reader: Int64, from club: Club) throws(LecternError) -> Removal? {
        try query { db throws(SQLiteError) in try RemovalTable.find(reader: reader, club: club.key, in: db) }
    }
}

/// Lifts a removal: its reader may come in by a code again.
package struct LiftRemoval: Command {
    let id: ResourceID
    let club: ResourceID
    let viewer: Viewer

    /// The end of a removal.
    package init(id: ResourceID, club: ResourceID, viewer: Viewer) {
        self.id = id
        self.club = club
        self.viewer = viewer
    }

    /// See `ClubAction.removeMembers`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        let (club, _) = try state.club(club, viewer, .removeMembers)
        let found = try state.query { db throws(SQLiteError) in try RemovalTable.find(id, in: db) }
        guard let found, found.clubKey == club.key else { throw .notFound }
        return Decision([Write<RemovalTable>(before: found, after: nil)])
    }
}
