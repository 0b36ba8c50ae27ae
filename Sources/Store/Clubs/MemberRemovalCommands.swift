package import Model

extension Command {
    /// Lifts a removal, so that the reader may join by a code again; see `ClubAction.removeMembers`.
    package static func deleteRemoval(_ id: ResourceID, from club: ResourceID) -> Command {
        end(MemberRemovalTable.self, in: club, .removeMembers) { club, _, db throws(SQLiteError) in
            try MemberRemovalTable.find(id, of: club.key, in: db)
        }
    }
}

extension WriteState {
    /// Returns the removal of a reader from a club, or `nil`.
    func removal(of reader: Int64, from club: Int64) throws(RequestError) -> MemberRemoval? {
        try read(MemberRemovalTable.find(reader: reader, club: club, in: db))
    }
}
