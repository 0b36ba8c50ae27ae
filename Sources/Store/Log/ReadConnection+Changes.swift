import JSON
package import Model

/// A range of the change log.
package struct ChangeLogPage: Sendable {
    /// The changes that the viewer may see, in order.
    package let changes: [Change]
    /// The last change that was examined.
    package let through: Int64
    /// The number of notes in the change after `through` that were also examined. A page may end within a change that
    /// makes many notes visible.
    package var resourcesSent = 0
    /// A Boolean value indicating whether `through` is the end of the log in this snapshot.
    package let isEnd: Bool
}

extension ReadConnection {
    /// Returns the keys of a reader's clubs, each with whether the reader moderates it.
    package func clubs(of reader: Int64) throws(RequestError) -> [(club: Int64, isModerator: Bool)] {
        try query(
            db.statement("SELECT club, moderates IS NOT NULL FROM members WHERE reader = ?1").bind(reader).all {
                ($0.integer(0), $0.integer(1) != 0)
            })
    }

    /// Returns the changes after a cursor that a reader may see, from at most `limit` rows of the log.
    ///
    /// These are everyone's changes, the reader's own, and those of their current clubs since they joined, as far as
    /// their marks then allowed. Changes after `last` are left out, because the log may be ahead of the caller. The
    /// first `resourcesSent` notes of the change after the cursor are skipped. With `splits` the page has at most
    /// `limit` changes; otherwise changes that share a `seq` stay together.
    package func changes(
        after cursor: Int64, resourcesSent: Int = 0, splits: Bool = false, through last: Int64 = .max,
        seenBy reader: Int64,
        limit: Int
    ) throws(RequestError) -> ChangeLogPage {
        try read { () throws(RequestError) in
            let end = min(try head(), last)
            guard cursor < end else { return ChangeLogPage(changes: [], through: cursor, isEnd: true) }
            let head = try lastLookedAt(after: cursor, through: end, seenBy: reader)
            let rows = try visibleRows(after: cursor, through: head, seenBy: reader, limit: limit)
            let through = rows.count < limit ? head : rows[limit - 1].seq
            var changes: [Change] = []
            var bytes = 0
            for row in rows {
                let start = changes.count
                if row.operation.isVisibilityChange {
                    let sent = row.seq == cursor + 1 ? resourcesSent : 0
                    let (notes, rest) = try visibilityChanges(in: row, from: sent, limit: splits ? limit - start : .max)
                    changes += notes
                    if let rest {
                        return ChangeLogPage(changes: changes, through: row.seq - 1, resourcesSent: rest, isEnd: false)
                    }
                } else if !ReplayedLogRow.isWithheld(row) {
                    changes.append(row)
                }
                for index in changes.indices[start...] {
                    changes[index].isReplayed = true
                    bytes += changes[index].value?.count ?? 0
                }
                // A row is small, but the notes that it names may be large.
                if changes.count >= limit || bytes >= Self.pageBytesMax, row.seq < through {
                    return ChangeLogPage(changes: changes, through: row.seq, isEnd: false)
                }
            }
            return ChangeLogPage(changes: changes, through: through, isEnd: through >= end)
        }
    }

    private static let lookedAt = SQLText(
        """
        SELECT min(next) FROM (SELECT (
                SELECT command FROM changes WHERE changes.scope = -members.club AND changes.reader = 0
                    AND seq > max(?2, members.key - 1) AND seq <= ?3
                ORDER BY seq LIMIT 1 OFFSET \(NoteVisibilitySQL.checkedMax)) AS next
            FROM members WHERE members.reader = ?1)
        WHERE next > ?2 + 1
        """)

    /// Returns the last change, up to a given one, that a page after a cursor looks at. It ends a transaction.
    private func lastLookedAt(
        after cursor: Int64, through end: Int64, seenBy reader: Int64
    ) throws(RequestError) -> Int64 {
        guard end - cursor > NoteVisibilitySQL.checkedMax else { return end }
        return try query(db.statement(Self.lookedAt).bind(reader, cursor, end).number()).map { $0 - 1 } ?? end
    }

    /// The scopes whose changes the reader `?1` receives, each with the audience in it and the part of the log: those of
    /// everyone and of the reader, and for each club those of all members, of the reader alone, of plain members (while
    /// the reader was one), and of moderators. A member receives the moderators' versions of standings from the change
    /// `moderates` on.
    private static let scopes = """
        scopes (scope, audience, since, until, moderates) AS (
            VALUES (0, 0, ?2, ?3, 0), (?1, 0, ?2, ?3, 0)
            UNION ALL SELECT -club, 0, max(?2, key - 1), ?3, 0 FROM members WHERE reader = ?1
            UNION ALL SELECT -club, ?1, max(?2, key - 1), ?3, ifnull(moderates, 9e18) FROM members WHERE reader = ?1
            UNION ALL SELECT -club, -2, max(?2, key - 1), min(?3, ifnull(moderates, 9e18) - 1), 0
                FROM members WHERE reader = ?1
            UNION ALL SELECT -club, -1, max(?2, moderates - 1), ?3, 0 FROM members WHERE reader = ?1)
        """

    // Each scope is read separately, so that the changes of other readers cost nothing.
    private static let visible = SQLText(
        """
        WITH \(scopes)
        SELECT \(ReplayedLogRow.columns) FROM scopes CROSS JOIN changes \(ReplayedLogRow.joins)
        WHERE changes.seq IN (
            SELECT seq FROM changes WHERE changes.scope = scopes.scope AND changes.reader = scopes.audience
                AND seq > scopes.since AND seq <= scopes.until
                AND (changes.kind <> \(ResourceKind.moderatorStanding.rawValue) OR seq >= scopes.moderates)
                AND (scopes.scope >= 0 OR scopes.audience <> 0 OR \(NoteVisibilitySQL.isVisibleChange))
            ORDER BY seq LIMIT ?4)
        ORDER BY changes.seq LIMIT ?4
        """)

    /// Returns the first rows of the log after a cursor that a reader may see.
    func visibleRows(
        after cursor: Int64, through head: Int64, seenBy reader: Int64, limit: Int
    ) throws(RequestError) -> [Change] {
        try query(db.statement(Self.visible).bind(reader, cursor, head, Int64(limit)).all(ReplayedLogRow.change))
    }

    /// The number of bytes of representations after which a page ends.
    private static let pageBytesMax = 4 << 20

    private static let readersWhoSee = SQLText(
        """
        SELECT asked.value FROM notes, json_each(?1) AS asked
        WHERE notes.id = ?2 AND \(NoteVisibilitySQL.isVisible(toEach: "asked.value"))
        """)

    private static let isVisibleToAll = SQLText(
        "SELECT 1 FROM notes WHERE id = ?1 AND \(NoteVisibilitySQL.isVisibleToAll)")

    /// Returns those of the given members who may receive a change of a note, because their marks allowed it then. This
    /// takes at most two queries for any number of members.
    package func recipients(of change: Change, among readers: Set<Int64>) throws(RequestError) -> Set<Int64> {
        if try query(db.statement(Self.isVisibleToAll).bind(change.id, change.seq).hasRow()) { return readers }
        var asked = JSONWriter(capacity: 64)
        asked.value(Array(readers))
        return try query { db throws(SQLiteError) in
            Set(
                try db.statement(Self.readersWhoSee).bind(
                    UTF8Text(asked.bytes), change.id, change.seq, change.hasNoAuthor ? 1 : 0
                ).all { $0.integer(0) })
        }
    }
}
