package import Model

/// Where in the log a reader can begin.
extension ReadConnection {
    /// The number of the log's last change in this snapshot.
    package func head() throws(LecternError) -> Int64 {
        try query { db throws(SQLiteError) in try db.number("SELECT max(seq) FROM changes") }
            ?? 0
    }

    /// The smallest cursor from which the log is whole; a smaller one is too old.
    package func floor() throws(LecternError) -> Int64 {
        if let first = try query({ db throws(SQLiteError) in try db.number("SELECT min(seq) FROM changes") }) {
            return first - 1
        }
        return try head()
    }

    private static let partsOf = SQL(
        """
        SELECT json_array_length(value, CASE json_type(value) WHEN 'array' THEN '$' ELSE '$.' || (SELECT key FROM json_each(changes.value)) END)
        FROM changes WHERE seq = ?1 AND reader = ?2 AND operation = \(ChangeOperation.unlocked.rawValue)
        """)

    /// How many parts a change of the log has that tells one reader of several notes; none when it tells them of no such thing.
    package func parts(of seq: Int64, toldTo reader: Int64) throws(LecternError) -> Int {
        let count = try query { db throws(SQLiteError) in
            try db.statement(Self.partsOf).bind(1, seq).bind(2, reader).first { $0.integer(0) }
        }
        return Int(count ?? 0)
    }

    /// The last change of a scope that the log still has; the floor when it has none. Watching from there leaves no gap.
    package func lastSeq(of scope: Scope) throws(LecternError) -> Int64 {
        let last = try query { db throws(SQLiteError) in
            try db.statement("SELECT max(seq) FROM changes WHERE scope = ?1 AND reader = 0").bind(1, scope.number).first
            {
                $0.optionalInteger(0)
            } ?? nil
        }
        if let last { return last }
        return try floor()
    }

    /// The change by which a reader came to a club; nil when they are not in it. What the club's lists and streams show them
    /// begins there.
    package func membershipBegan(of reader: Int64, inClub club: Int64) throws(LecternError) -> Int64? {
        try query { db throws(SQLiteError) in
            try db.statement("SELECT key FROM members WHERE reader = ?1 AND club = ?2").bind(1, reader).bind(2, club)
                .first { $0.integer(0) }
        }
    }

    /// Returns the change by which a member last began or ceased to moderate a club, or else came to it.
    package func roleBegan(of reader: Int64, inClub club: Int64) throws(LecternError) -> Int64? {
        try query { db throws(SQLiteError) in
            try db.statement("SELECT ifnull(role_since, key) FROM members WHERE reader = ?1 AND club = ?2")
                .bind(1, reader).bind(2, club).first { $0.integer(0) }
        }
    }

    private static let lastOfClub = SQL(
        """
        SELECT max((SELECT coalesce(max(seq), 0) FROM changes WHERE scope = -?2 AND reader = ?1),
            (SELECT coalesce(max(seq), 0) FROM changes WHERE scope = -?2 AND reader = (
                SELECT CASE role WHEN 'member' THEN -2 ELSE -1 END FROM members WHERE club = ?2 AND reader = ?1)),
            coalesce((SELECT seq FROM changes WHERE scope = -?2 AND reader = 0 AND \(NoteGate.letsThrough)
                ORDER BY seq DESC LIMIT 1), 0))
        """)

    /// The last change of a club that a member was told of and the log still has; the floor when there is none.
    package func lastSeq(ofClub club: Int64, seenBy reader: Int64) throws(LecternError) -> Int64 {
        let last = try query { db throws(SQLiteError) in
            try db.statement(Self.lastOfClub).bind(1, reader).bind(2, club).first { $0.integer(0) } ?? 0
        }
        return last > 0 ? last : try floor()
    }
}
