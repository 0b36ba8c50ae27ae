package import Model

extension Command {
    /// Lifts a removal, so that the reader may join by a code again; see `ClubAction.removeMembers`.
    package static func deleteRemoval(_ id: ResourceID, from club: ResourceID) -> Command {
        deletion(MemberRemovalTable.self) { state, actor throws(RequestError) in
            let (club, _) = try state.club(club, actor, .removeMembers)
            return try state.found(MemberRemovalTable.find(id, of: club.key, in: state.db))
        }
    }
}

extension WriteState {
    /// Returns the removal of a reader from a club, or `nil`.
    func removal(of reader: Int64, from club: Int64) throws(RequestError) -> MemberRemoval? {
        try query(MemberRemovalTable.find(reader: reader, club: club, in: db))
    }
}
