import Model

/// The table of the members of clubs.
enum MemberTable: ExportedTable {
    static let rows = TableMapping<Member>(
        "members",
        key: .version)

    static func scope(of row: Member) -> ChangeScope { .club(key: row.clubKey) }

    static let endings: [ResourceEnding] = []

    /// Returns a reader's membership of a club.
    static func find(reader: Int64, club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Member? {
        try matching("members.reader = ?1 AND members.club = ?2", in: connection).bind(reader, club).first(row)
    }

    /// Returns a Boolean value indicating whether a member's club has another member, or another owner.
    static func hasOther(
        than member: Member, isOwner: Bool = false, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        try connection.statement(
            "SELECT 1 FROM members WHERE club = ?1 AND key <> ?2 AND (?3 = 0 OR role = 'owner') LIMIT 1"
        ).bind(member.clubKey, member.key, isOwner ? 1 : 0).hasRow()
    }

    /// Returns the next owner after a club's only owner: the member who has moderated it longest, or else has been in
    /// it longest.
    static func nextOwner(of member: Member, in connection: SQLiteConnection) throws(SQLiteError) -> Member? {
        try matching(
            """
            members.club = ?1 AND members.key <> ?2
            ORDER BY members.role = 'member', ifnull(members.moderates, members.key) LIMIT 1
            """, in: connection
        ).bind(member.clubKey, member.key).first(row)
    }

    /// Returns a reader's name in a club, or the name when they left it. Returns `nil` if they never were in it.
    static func name(of reader: Int64, inClub club: Int64, in connection: SQLiteConnection) throws(SQLiteError)
        -> String?
    {
        try connection.statement(
            """
            SELECT name FROM members WHERE reader = ?1 AND club = ?2
            UNION ALL SELECT name FROM former_members WHERE reader = ?1 AND club = ?2
            """
        ).bind(reader, club).first { $0.text(0) }
    }

    static func insert(_ member: Member, in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        let key = try rows.insert(member, in: connection)
        try recordModeration(key, in: connection)
        try connection.statement("DELETE FROM former_members WHERE club = ?1 AND reader = ?2")
            .bind(member.clubKey, member.readerKey).run()
        return key
    }

    static func update(_ member: Member, changed: FieldSet, in connection: SQLiteConnection) throws(SQLiteError) {
        try rows.update(member, changed: changed, in: connection)
        try recordModeration(member.key, in: connection)
    }

    /// Records since when the member has received the changes for moderators, and when their moderation last began or
    /// ended.
    private static func recordModeration(_ key: Int64, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement(
            """
            UPDATE members SET moderates = CASE role WHEN 'member' THEN NULL ELSE ifnull(moderates, version) END,
                role_since = CASE WHEN (role = 'member') = (moderates IS NULL) THEN role_since ELSE version END
            WHERE key = ?1
            """
        ).bind(key).run()
    }

    static func delete(_ member: Member, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement(
            "INSERT INTO former_members (club, reader, name) SELECT club, reader, name FROM members WHERE key = ?1"
        ).bind(member.key).run()
        try rows.delete(member, in: connection)
    }
}

extension LoggedEvent<OwnMembership> {
    /// The event for a reader who joined or left a club.
    static func membership(_ operation: ChangeOperation, in club: ResourceID, of reader: Int64) -> Self {
        Self(row: OwnMembership(club: club), operation: operation, scope: .reader(key: reader))
    }
}
