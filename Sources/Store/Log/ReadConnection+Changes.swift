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
    package var parts = 0
    /// A Boolean value indicating whether `through` is the end of the log in this snapshot.
    package let isEnd: Bool
}

extension ReadConnection {
    /// Returns the keys of a reader's clubs. Each has the first change that the reader may receive, and the first of
    /// the changes for moderators.
    package func clubs(of reader: Int64) throws(RequestError) -> [(club: Int64, since: Int64, moderatesSince: Int64?)] {
        try query { db throws(SQLiteError) in
            try db.statement("SELECT club, key, moderates FROM members WHERE reader = ?1").bind(reader).all {
                ($0.integer(0), $0.integer(1), $0.optionalInteger(2))
            }
        }
    }

    /// Returns the changes after a cursor that a reader may see, from at most `limit` rows of the log.
    ///
    /// These are everyone's changes, the reader's own, and those of their current clubs since they joined, as far as
    /// their marks then allowed. Changes after `last` are left out, because the log may be ahead of the caller. The
    /// first `parts` notes of the change after the cursor are skipped. With `splits` the page has at most `limit`
    /// changes; otherwise changes that share a `seq` stay together.
    package func changes(
        after cursor: Int64, parts: Int = 0, splits: Bool = false, through last: Int64 = .max, seenBy reader: Int64,
        limit: Int
    ) throws(RequestError) -> ChangeLogPage {
        try read { () throws(RequestError) in
            let end = min(try head(), last)
            guard cursor < end else { return ChangeLogPage(changes: [], through: cursor, isEnd: true) }
            let isShort = end - cursor <= Self.tailMax
            let head = isShort ? end : try lastLookedAt(after: cursor, through: end, seenBy: reader)
            var rows =
                isShort
                ? try tail(after: cursor, through: head, seenBy: reader, limit: limit)
                : try slices(after: cursor, through: head, seenBy: reader, limit: limit)
            // A full slice says nothing about later changes, so the page ends where the first full slice ends.
            let isFull = rows.count >= limit
            if isFull { rows.removeSubrange(limit...) }
            let through = isFull ? rows[limit - 1].seq : head
            var changes: [Change] = []
            var bytes = 0
            for row in rows {
                let start = changes.count
                if row.operation.isVisibilityChange {
                    let sent = row.seq == cursor + 1 ? parts : 0
                    let (notes, rest) = try unlocked(row, from: sent, limit: splits ? limit - start : .max)
                    changes += notes
                    if let rest {
                        return ChangeLogPage(changes: changes, through: row.seq - 1, parts: rest, isEnd: false)
                    }
                } else if !ReplayedLogRow.isWithheld(row) {
                    changes.append(row)
                }
                for change in changes[start...] { bytes += change.value?.count ?? 0 }
                // A row is small, but the notes that it names may be large.
                if changes.count >= limit || bytes >= Self.pageBytesMax, row.seq < through {
                    return ChangeLogPage(changes: changes, through: row.seq, isEnd: false)
                }
            }
            return ChangeLogPage(changes: changes, through: through, isEnd: through >= end)
        }
    }

    /// The maximum number of rows that are scanned one by one. Slices, one or more for each club, cost more than a few
    /// rows.
    static let tailMax: Int64 = 256

    private static let lookedAt = SQLText(
        """
        SELECT command FROM changes WHERE scope = -?1 AND reader = 0 AND seq > ?2 AND seq <= ?3
        ORDER BY seq LIMIT 1 OFFSET \(NoteVisibilitySQL.checkedMax)
        """)

    /// Returns the last change, up to a given one, that a page after a cursor looks at. It ends a transaction.
    private func lastLookedAt(
        after cursor: Int64, through end: Int64, seenBy reader: Int64
    ) throws(RequestError) -> Int64 {
        var last = end
        for (club, since, _) in try clubs(of: reader) {
            let next = try query { db throws(SQLiteError) in
                try db.statement(Self.lookedAt).bind(club, max(cursor, since - 1), last)
                    .first { $0.integer(0) }
            }
            if let next, next - 1 > cursor { last = next - 1 }
        }
        return last
    }

    /// The SQL condition that leaves out the moderators' version of a standing unless the reader has been a moderator
    /// since that change.
    private static let omitsFormerModeratorStandings =
        "(changes.kind <> \(ResourceKind.moderatorStanding.rawValue) OR seq >= ifnull(members.moderates, 9e18))"

    private static let tail = SQLText(
        """
        SELECT \(ReplayedLogRow.columns)
        FROM changes NOT INDEXED LEFT JOIN members ON members.reader = ?1 AND members.club = -changes.scope
            \(ReplayedLogRow.joins)
        WHERE seq > ?2 AND seq <= ?3 AND CASE
            WHEN scope >= 0 THEN scope IN (0, ?1) AND changes.reader = 0
            WHEN seq < members.key OR members.key IS NULL THEN FALSE
            WHEN changes.reader = 0 THEN \(NoteVisibilitySQL.letsThrough)
            ELSE changes.reader = ?1 AND \(omitsFormerModeratorStandings) OR changes.reader = -1 AND seq >= members.moderates
                OR changes.reader = -2 AND (members.moderates IS NULL OR seq < members.moderates) END
        ORDER BY seq LIMIT ?4
        """)

    /// Returns the visible rows after a cursor by scanning a short part of the log.
    func tail(
        after cursor: Int64, through head: Int64, seenBy reader: Int64, limit: Int
    ) throws(RequestError) -> [Change] {
        try query { db throws(SQLiteError) in
            try db.statement(Self.tail).bind(reader, cursor, head, Int64(limit)).all(
                ReplayedLogRow.change)
        }
    }

    /// Returns the visible rows after a cursor by reading each scope separately: everyone's, the reader's own, and each
    /// club's.
    func slices(
        after cursor: Int64, through head: Int64, seenBy reader: Int64, limit: Int
    ) throws(RequestError) -> [Change] {
        var rows = try slice(after: cursor, through: head, .everyone, seenBy: reader, limit: limit)
        rows += try slice(after: cursor, through: head, .reader(key: reader), seenBy: reader, limit: limit)
        for (club, since, moderatesSince) in try clubs(of: reader) {
            rows += try slice(after: max(cursor, since - 1), through: head, ofClub: club, reader, limit: limit)
            // While they did not moderate the club, they received what other members receive.
            rows += try slice(
                after: max(cursor, since - 1), through: min(head, (moderatesSince ?? .max) - 1),
                .plainMembers(ofClub: club), seenBy: reader, limit: limit)
            if let moderatesSince {
                let scope = ChangeScope.moderators(ofClub: club)
                rows += try slice(
                    after: max(cursor, moderatesSince - 1), through: head, scope, seenBy: reader, limit: limit)
            }
        }
        return rows.sorted { $0.seq < $1.seq }
    }

    /// The number of bytes of representations after which a page ends.
    private static let pageBytesMax = 4 << 20

    private static let changesOfScope = SQLText(
        """
        SELECT \(ReplayedLogRow.columns) FROM changes \(ReplayedLogRow.joins)
        WHERE scope = ?6 AND changes.reader = ?4 AND seq > ?2 AND seq <= ?5 ORDER BY seq LIMIT ?3
        """)

    private func slice(
        after cursor: Int64, through head: Int64, _ scope: ChangeScope, seenBy reader: Int64, limit: Int
    ) throws(RequestError) -> [Change] {
        try query { db throws(SQLiteError) in
            try db.statement(Self.changesOfScope).bind(reader, cursor, Int64(limit), scope.reader, head, scope.number)
                .all(ReplayedLogRow.change)
        }
    }

    private static let clubChanges = SQLVariants<Bool> { isOwn in
        """
        SELECT \(ReplayedLogRow.columns) FROM changes \(ReplayedLogRow.joins)
        \(isOwn ? "LEFT JOIN members ON members.reader = ?1 AND members.club = ?2" : "")
        WHERE scope = -?2 AND changes.reader = \(isOwn ? "?1" : "0") AND seq > ?3 AND seq <= ?5
            AND \(isOwn ? omitsFormerModeratorStandings : NoteVisibilitySQL.letsThrough)
        ORDER BY seq LIMIT ?4
        """
    }

    /// Returns the visible changes of a club: those for all its members, and those for the given reader alone.
    private func slice(
        after cursor: Int64, through head: Int64, ofClub club: Int64, _ reader: Int64, limit: Int
    ) throws(RequestError) -> [Change] {
        try query { db throws(SQLiteError) in
            var changes: [Change] = []
            for isOwn in [false, true] {
                changes += try db.statement(Self.clubChanges, isOwn).bind(reader, club, cursor, Int64(limit), head).all(
                    ReplayedLogRow.change)
            }
            return changes
        }
    }

    private static let readersWhoPass = SQLText(
        """
        SELECT asked.value FROM notes, json_each(?1) AS asked
        WHERE notes.id = ?2 AND \(NoteVisibilitySQL.passes(each: "asked.value"))
        """)

    /// Returns those of the given members who may receive a change of a note, because their marks allowed it then. This
    /// takes one query for any number of members.
    package func recipients(of change: Change, among readers: some Sequence<Int64>) throws(RequestError) -> Set<Int64> {
        var asked = JSONWriter(capacity: 64)
        asked.beginArray()
        for reader in readers { asked.integer(reader) }
        asked.endArray()
        return try query { db throws(SQLiteError) in
            Set(
                try db.statement(Self.readersWhoPass).bind(
                    UTF8Text(asked.bytes), change.id, change.seq, change.hasNoAuthor ? 1 : 0
                ).all { $0.integer(0) })
        }
    }
}
