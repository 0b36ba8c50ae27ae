import Model

/// The rules for the audience of the log's changes, and for the order of a resource's changes.
extension IntegrityRules {
    /// The rules for ids that clients chose. Each is for a kind of resource that clients can create. A change for one
    /// reader about such a resource is for the reader who chose the id.
    static let claims = [
        """
        SELECT 'claims: ' || hex(id) || ' is of a kind that no client makes' FROM claims
        WHERE kind NOT IN (\(Command.claimable.map { "\($0.rawValue)" }.joined(separator: ", ")))
        """,
        """
        SELECT 'claims: ' || hex(claims.id) || ' is not its reader''s' FROM changes
        JOIN claims ON claims.id = changes.resource AND claims.kind = changes.kind
        WHERE changes.scope > 0 AND changes.scope <> claims.reader
        """,
    ]

    /// The rule that each change has the audience that the list of tables gives for its kind; a membership has no
    /// table. A change that unlocks notes is for one member.
    private static let audiences = """
        SELECT 'changes: ' || seq || ' is told to others than may see it' FROM changes
        WHERE NOT CASE
            WHEN kind = \(LogRedaction.kind) THEN operation = 1 AND value = '{}' AND resource = zeroblob(16)
            WHEN operation >= 4 THEN kind = \(ResourceKind.note.rawValue) AND scope < 0 AND reader > 0
            WHEN kind = \(ResourceKind.membership.rawValue) THEN \(ExpectedAudience.itsReader.rawValue)
            \(StoredTable.ofKind.map { "WHEN kind = \($0.rawValue) THEN \($1.audience?.rawValue ?? "0")" }.joined(separator: " "))
            ELSE 0 END
        """

    /// The rule that the changes of one resource follow each other: only the first one, or one after a deletion,
    /// creates it. A membership has a chain of changes for each reader, and a join request one for each side. The value
    /// before the log's beginning is in `before`, which another rule checks. A resource in version 0 existed from the
    /// start. A shared note was visible only to its author before. A separate standing for moderators begins as an
    /// update of the club's standing. What a reading or a club contains ends with it, without changes of its own;
    /// after that an import may create it again.
    private static let chains = """
        SELECT 'changes: ' || seq || CASE WHEN (operation = 1) <> ifnull(earlier = 3, 1)
                THEN ' cannot follow ' || ifnull(previous, 'nothing') ELSE ' is told to others than ' || previous END
        FROM (SELECT seq, kind, operation, scope, before, lag(operation) OVER one AS earlier, lag(seq) OVER one AS previous,
                lag(scope) OVER one AS told
            FROM changes WHERE operation < 4 AND \(LogRedaction.isKept)
            WINDOW one AS (PARTITION BY kind, resource, CASE kind WHEN \(ResourceKind.membership.rawValue) THEN scope
                WHEN \(ResourceKind.joinRequest.rawValue) THEN scope > 0 ELSE 0 END ORDER BY seq)) AS later
        WHERE CASE WHEN earlier IS NULL THEN operation <> 1 AND (SELECT min(seq) FROM changes) = 1
                AND CASE typeof(before) WHEN 'text' THEN json_extract(before, '$.version') ELSE 1 END <> 0
                AND NOT \(isShare)
                AND kind <> \(ResourceKind.moderatorStanding.rawValue)
            WHEN operation = 1 AND earlier <> 3 AND EXISTS (SELECT 1 FROM changes AS ended
                WHERE ended.scope = told AND ended.seq > previous AND ended.seq < later.seq AND ended.operation = 3
                    AND ended.kind = CASE later.kind WHEN \(ResourceKind.entry.rawValue) THEN \(ResourceKind.reading.rawValue)
                        ELSE \(ResourceKind.club.rawValue) END) THEN 0
            ELSE (operation = 1) <> (earlier = 3)
                OR scope <> told AND NOT (kind = \(ResourceKind.invitation.rawValue) AND told > 0)
                AND NOT (\(isShare) AND told > 0) END
        """
    private static let isShare =
        "CASE kind WHEN \(ResourceKind.note.rawValue) THEN ifnull(json_type(before, '$.club'), '') = 'null' ELSE 0 END"

    private static let times = """
        SELECT 'changes: ' || later.seq || ' has another time than its command' FROM changes AS later
        JOIN changes AS earlier ON earlier.seq = later.seq - 1 AND earlier.command = later.command
        WHERE earlier.at <> later.at
        """

    /// The rule that a reader is a member of a club exactly if the log's last change of their membership is not a
    /// deletion.
    private static let memberships = """
        SELECT 'changes: ' || seq || ' says that the reader ' || scope || ' is in or out of a club' FROM (
            SELECT max(seq) AS seq, operation, scope, resource FROM changes
            WHERE kind = \(ResourceKind.membership.rawValue) GROUP BY resource, scope) AS last
        JOIN clubs ON clubs.id = last.resource
        WHERE (operation = 3) = EXISTS (
            SELECT 1 FROM members WHERE members.reader = last.scope AND members.club = clubs.key)
        """

    static let ofLog = [audiences, chains, times, memberships]

    static let joinRequests = [
        """
        SELECT 'join_requests: change ' || changes.seq || ' is told to another than its reader' FROM changes
        JOIN join_requests ON join_requests.id = changes.resource
        WHERE changes.kind = \(ResourceKind.joinRequest.rawValue) AND scope > 0 AND scope <> join_requests.reader
        """
    ]
}
