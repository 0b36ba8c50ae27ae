package import Model

/// Where a reader is who reads now.
extension ReadConnection {
    /// Whether a reader lets others see that they read.
    package func showsPresence(_ reader: Int64) throws(LecternError) -> Bool {
        try settings(of: reader)?.presence ?? false
    }

    /// A reader as a member of a club; nil for who is none.
    package func member(_ reader: Int64, ofClub club: Int64) throws(LecternError) -> Member? {
        try query { db throws(SQLiteError) in try MemberTable.find(reader: reader, club: club, in: db) }
    }

    /// The clubs that follow a book by a reading of a reader's, as whom, and which book that is.
    package func clubs(
        following reading: ResourceID, of reader: Int64
    ) throws(LecternError) -> [(member: Member, book: ResourceID)] {
        try query { db throws(SQLiteError) in
            var clubs: [(member: Member, book: ResourceID)] = []
            for standing in try SharedStanding.all(of: .reading(reading), in: db).map(\.club) {
                // Somebody else's reading is nothing of theirs.
                guard let member = try MemberTable.find(reader: reader, club: standing.clubKey, in: db),
                    member.key == standing.memberKey
                else { continue }
                clubs.append((member, standing.book))
            }
            return clubs
        }
    }
}
