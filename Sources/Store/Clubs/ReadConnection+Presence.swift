package import Model

/// Queries for the presence of readers who are reading now.
extension ReadConnection {
    /// Returns a reader's membership of a club, or `nil`.
    package func member(_ reader: Int64, ofClub club: Int64) throws(RequestError) -> Member? {
        try query(MemberTable.find(reader: reader, club: club, in: db))
    }

    /// Returns the reader's memberships of the clubs whose runs they follow with a reading, each with the book.
    package func clubs(
        following reading: ResourceID, of reader: Int64
    ) throws(RequestError) -> [(member: Member, book: ResourceID)] {
        try query { db throws(SQLiteError) in
            var clubs: [(member: Member, book: ResourceID)] = []
            for standing in try StandingVersions.all(where: "standings.reading = ?1", reading, in: db).map(\.club) {
                // The standing belongs to another reader, so the reading does too.
                guard let member = try MemberTable.find(reader: reader, club: standing.clubKey, in: db),
                    member.key == standing.memberKey
                else { continue }
                clubs.append((member, standing.book))
            }
            return clubs
        }
    }
}
