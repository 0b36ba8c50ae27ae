import JSON
package import Model

/// A stretch of the change log.
package struct ChangePage: Sendable {
    /// The changes that the asker may see, in order.
    package let changes: [Change]
    /// Everything up to here has been looked at.
    package let through: Int64
    /// So many parts of the change after it, too: a page may end within a change that unlocks many notes.
    package var parts = 0
    /// Whether `through` is the log's end in this snapshot.
    package let isEnd: Bool
}

extension ReadConnection {
    /// The clubs that a reader is in, by key, each with the change from which on they are told of it, and of what is for its
    /// moderators.
    package func clubs(of reader: Int64) throws(LecternError) -> [(club: Int64, since: Int64, moderatesSince: Int64?)] {
        try query { db throws(SQLiteError) in
            try db.statement("SELECT club, key, moderates FROM members WHERE reader = ?1").bind(1, reader).all {
                ($0.integer(0), $0.integer(1), $0.optionalInteger(2))
            }
        }
    }

    /// The changes after a cursor that a reader may see, those of at most `limit` rows of the log: everyone's, their own, and those of the
    /// clubs that they are in now, from their coming on and as far as they had read then. None after `last`: the log may be
    /// ahead of who asks. So many `parts` of the change after the cursor are left out. Who `splits` gets no more changes than
    /// `limit`; otherwise those that share a `seq` stay together.
    package func changes(
        after cursor: Int64, parts: Int = 0, splits: Bool = false, through last: Int64 = .max, seenBy reader: Int64,
        limit: Int
    ) throws(LecternError) -> ChangePage {
        try read { () throws(LecternError) in
            let head = min(try head(), last)
            guard cursor < head else { return ChangePage(changes: [], through: cursor, isEnd: true) }
            var rows =
                head - cursor <= Self.tailMax
                ? try tail(after: cursor, through: head, seenBy: reader, limit: limit)
                : try slices(after: cursor, through: head, seenBy: reader, limit: limit)
            // A slice that is full says nothing about what follows it: only what lies before the first full one's end is known.
            let isFull = rows.count >= limit
            if isFull { rows.removeSubrange(limit...) }
            let through = isFull ? rows[limit - 1].seq : head
            var changes: [Change] = []
            var bytes = 0
            for row in rows {
                let start = changes.count
                if row.operation.isOfSight {
                    let told = row.seq == cursor + 1 ? parts : 0
                    let (notes, rest) = try unlocked(row, from: told, limit: splits ? limit - start : .max)
                    changes += notes
                    if let rest {
                        return ChangePage(changes: changes, through: row.seq - 1, parts: rest, isEnd: false)
                    }
                } else if !LogRow.isEmpty(row) {
                    changes.append(row)
                }
                for change in changes[start...] { bytes += change.value?.count ?? 0 }
                // A row is small, but what it names need not be.
                if changes.count >= limit || bytes >= Self.pageBytesMax, row.seq < through {
                    return ChangePage(changes: changes, through: row.seq, isEnd: false)
                }
            }
            return ChangePage(changes: changes, through: through, isEnd: !isFull || through >= head)
        }
    }

    /// Rows of the log that are looked at one by one: a reader of many clubs has a slice of each, which cost more than few rows.
    static let tailMax: Int64 = 256

    /// A condition that leaves out what a member was told as a moderator, and is no longer.
    private static let isRestated =
        "(changes.kind <> \(ResourceKind.moderatorStanding.rawValue) OR seq >= ifnull(members.moderates, 9e18))"

    private static let tail = SQL(
        """
        SELECT \(LogRow.columns)
        FROM changes NOT INDEXED LEFT JOIN members ON members.reader = ?1 AND members.club = -changes.scope
            \(LogRow.joins)
        WHERE seq > ?2 AND seq <= ?3 AND CASE
            WHEN scope >= 0 THEN scope IN (0, ?1) AND changes.reader = 0
            WHEN seq < members.key OR members.key IS NULL THEN FALSE
            WHEN changes.reader = 0 THEN \(NoteGate.letsThrough)
            ELSE changes.reader = ?1 AND \(isRestated) OR changes.reader = -1 AND seq >= members.moderates
                OR changes.reader = -2 AND (members.moderates IS NULL OR seq < members.moderates) END
        ORDER BY seq LIMIT ?4
        """)

    /// The rows that a reader may see of the few after a cursor.
    func tail(
        after cursor: Int64, through head: Int64, seenBy reader: Int64, limit: Int
    ) throws(LecternError) -> [Change] {
        try query { db throws(SQLiteError) in
            try db.statement(Self.tail).bind(1, reader).bind(2, cursor).bind(3, head).bind(4, Int64(limit)).all(
                LogRow.change)
        }
    }

    /// The same rows by what they are of: everyone's, the reader's own, and each club's.
    func slices(
        after cursor: Int64, through head: Int64, seenBy reader: Int64, limit: Int
    ) throws(LecternError) -> [Change] {
        var rows = try slice(after: cursor, through: head, .everyone, limit: limit)
        rows += try slice(after: cursor, through: head, .reader(key: reader), limit: limit)
        for (club, since, moderatesSince) in try clubs(of: reader) {
            rows += try slice(after: max(cursor, since - 1), through: head, ofClub: club, reader, limit: limit)
            // Until they moderated it, and while they do not, they were told what other members are.
            rows += try slice(
                after: max(cursor, since - 1), through: min(head, (moderatesSince ?? .max) - 1),
                .plainMembers(ofClub: club), limit: limit)
            if let moderatesSince {
                let scope = Scope.moderators(ofClub: club)
                rows += try slice(after: max(cursor, moderatesSince - 1), through: head, scope, limit: limit)
            }
        }
        return rows.sorted { $0.seq < $1.seq }
    }

    /// Bytes of representations after which a page ends.
    private static let pageBytesMax = 4 << 20

    private static let changesOfScope = SQL(
        """
        SELECT \(LogRow.columns) FROM changes \(LogRow.joins)
        WHERE scope = ?1 AND reader = ?4 AND seq > ?2 AND seq <= ?5 ORDER BY seq LIMIT ?3
        """)

    private func slice(
        after cursor: Int64, through head: Int64, _ scope: Scope, limit: Int
    ) throws(LecternError) -> [Change] {
        try query { db throws(SQLiteError) in
            try db.statement(Self.changesOfScope).bind(1, scope.number).bind(2, cursor).bind(3, Int64(limit))
                .bind(4, scope.reader).bind(5, head).all(LogRow.change)
        }
    }

    private static let clubChanges = Variants<Bool> { isOwn in
        """
        SELECT \(LogRow.columns) FROM changes \(LogRow.joins)
        \(isOwn ? "LEFT JOIN members ON members.reader = ?1 AND members.club = ?2" : "")
        WHERE scope = -?2 AND changes.reader = \(isOwn ? "?1" : "0") AND seq > ?3 AND seq <= ?5
            AND \(isOwn ? isRestated : NoteGate.letsThrough)
        ORDER BY seq LIMIT ?4
        """
    }

    /// What the members of a club were told, and what one of them alone was.
    private func slice(
        after cursor: Int64, through head: Int64, ofClub club: Int64, _ reader: Int64, limit: Int
    ) throws(LecternError) -> [Change] {
        try query { db throws(SQLiteError) in
            var changes: [Change] = []
            for isOwn in [false, true] {
                changes += try db.statement(Self.clubChanges, isOwn).bind(1, reader).bind(2, club).bind(3, cursor).bind(
                    4, Int64(limit)
                ).bind(5, head).all(LogRow.change)
            }
            return changes
        }
    }

    private static let readersWhoPass = SQL(
        """
        SELECT asked.value FROM notes, json_each(?1) AS asked
        WHERE notes.id = ?2 AND \(NoteGate.passes(each: "asked.value"))
        """)

    /// Of some members of a club, by key, those who may be told of a change of a note there: those who had read so far. One
    /// question, however many they are.
    package func told(of change: Change, among readers: some Sequence<Int64>) throws(LecternError) -> Set<Int64> {
        var asked = JSONWriter(capacity: 64)
        asked.beginArray()
        for reader in readers { asked.integer(reader) }
        asked.endArray()
        return try query { db throws(SQLiteError) in
            Set(
                try db.statement(Self.readersWhoPass).bind(1, text: asked.bytes).bind(2, change.id).bind(3, change.seq)
                    .bind(4, change.namesNobody ? 1 : 0).all { $0.integer(0) })
        }
    }
}
