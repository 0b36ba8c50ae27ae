package import Model

/// The positions in the log from which a reader can start.
extension ReadConnection {
    /// Returns the number of the log's last change in this snapshot.
    package func head() throws(RequestError) -> Int64 {
        try query(db.number("SELECT max(seq) FROM changes"))
            ?? 0
    }

    /// Returns the smallest cursor from which the log is complete. A smaller cursor has expired.
    package func floor() throws(RequestError) -> Int64 {
        if let first = try query(db.number("SELECT min(seq) FROM changes")) {
            return first - 1
        }
        return try head()
    }

    private static let noteCount = SQLText(
        """
        SELECT json_array_length(value) FROM changes WHERE seq = ?1 AND reader = ?2 AND operation >= 4
        """)

    /// Returns the number of notes in a change that makes notes visible or invisible to one reader, or 0 for any other
    /// change.
    package func noteCount(of seq: Int64, changeAudience reader: Int64) throws(RequestError) -> Int {
        let count = try query(db.statement(Self.noteCount).bind(seq, reader).number())
        return Int(count ?? 0)
    }

    /// Returns the last change of a scope that is still in the log, or the floor if there is none. Watching from there
    /// leaves no gap.
    package func lastSeq(of scope: ChangeScope) throws(RequestError) -> Int64 {
        let last = try query(
            db.statement("SELECT seq FROM changes WHERE scope = ?1 AND reader = 0 ORDER BY seq DESC LIMIT 1")
                .bind(scope.number).number())
        if let last { return last }
        return try floor()
    }

    /// Returns the change by which a member's moderation of a club last began or ended, or else the change by which
    /// they joined.
    package func roleBegan(of reader: Int64, inClub club: Int64) throws(RequestError) -> Int64? {
        try query(
            db.statement("SELECT ifnull(role_since, key) FROM members WHERE reader = ?1 AND club = ?2")
                .bind(reader, club).number())
    }

    private static let lastOwn = SQLText(
        """
        SELECT max((SELECT coalesce(max(seq), 0) FROM changes WHERE scope = -?2 AND reader = ?1),
            (SELECT coalesce(max(seq), 0) FROM changes WHERE scope = -?2 AND reader = (
                SELECT CASE role WHEN 'member' THEN -2 ELSE -1 END FROM members WHERE club = ?2 AND reader = ?1)))
        """)
    private static let ofClub = SQLText(
        "SELECT seq, \(NoteVisibilitySQL.isVisibleChange) FROM changes WHERE scope = -?2 AND reader = 0 ORDER BY seq DESC"
    )

    /// Returns the last change of a club that a member received and that is still in the log, or the floor if there is
    /// none. After very many invisible changes it returns one of those: the member has received all before it.
    package func lastSeq(ofClub club: Int64, seenBy reader: Int64) throws(RequestError) -> Int64 {
        let last = try query { db throws(SQLiteError) in
            let own = try db.statement(Self.lastOwn).bind(reader, club).number() ?? 0
            let changes = try db.statement(Self.ofClub).bind(reader, club)
            defer { changes.reset() }
            var count = 0
            while try changes.step(), changes.integer(0) > own {
                count += 1
                if changes.integer(1) != 0 || count == NoteVisibilitySQL.checkedMax { return changes.integer(0) }
            }
            return own
        }
        return last > 0 ? last : try floor()
    }
}
