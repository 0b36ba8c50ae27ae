import Model

/// The removal of a reader's data from the log after the reader left. Each row keeps its number, so cursors find no
/// gap.
///
/// A change for only the reader, or for a club that ended, is never sent again. Its row keeps number, time and scope,
/// and gets no kind. A change for a club keeps its structure and loses the words.
enum LogRedaction {
    /// The kind of a redacted row.
    static let kind = 0
    /// The number of rows of one slice.
    private static let rowsMax: Int64 = 2000

    /// The SQL condition that a row of `changes` is not emptied, now or later. A row is emptied if only a reader who
    /// left, or a club that ended, received it.
    static let isKept = """
        (changes.kind <> \(kind)
            AND NOT EXISTS (SELECT 1 FROM readers WHERE readers.key IN (changes.scope, changes.reader) AND has_left = 1)
            AND (changes.scope >= 0 OR EXISTS (SELECT 1 FROM clubs WHERE clubs.key = -changes.scope)))
        """

    private static let emptied = SQLText("SELECT 1 FROM changes WHERE seq = ?1 AND NOT \(isKept)")

    /// Returns a Boolean value indicating whether a change is emptied, now or later. Copies of it may be kept: a request
    /// to join a club stays in the log for its reader when the club ends.
    static func isEmptied(_ seq: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.statement(emptied).bind(seq).hasRow()
    }

    private static let wipe = SQLText(
        """
        UPDATE changes SET kind = \(kind), resource = zeroblob(16), operation = 1, value = '{}', before = NULL
        WHERE seq > ?1 AND seq <= ?2 AND kind <> \(kind) AND (scope = ?3 OR reader = ?3
            OR scope < 0 AND NOT EXISTS (SELECT 1 FROM clubs WHERE clubs.key = -scope))
        """)

    /// The statements that blank words in the changes from `?1` to `?2` of a kind. `?3` is the reader's key, `?4` the id.
    /// Most of these changes were for clubs.
    private static let blanks =
        [
            blank(.member, name, of: "reader"), blank(.removal, name, of: "reader"),
            blank(.joinRequest, "'$.name', '', '$.message', NULL", of: "reader"),
            blank(.standing, standing, of: "reader"), blank(.moderatorStanding, standing, of: "reader"),
            blank(.attendance, name, of: "reader"), blank(.block, name, of: "reader"),
            blank(.note, noteWords, of: "author"),
            // Notes that do not name their author, and reports of these notes.
            blank(.note, noteWords, where: "resource IN (SELECT id FROM notes WHERE author = ?3 AND is_nameless = 1)"),
            blank(
                .report, copy,
                where: """
                    resource IN (SELECT reports.id FROM reports JOIN notes ON notes.id = reports.subject
                        WHERE notes.author = ?3 AND notes.is_nameless = 1)
                    """),
            blank(.report, copy, of: "author"),
            // The remarks with which the reader closed reports.
            blank(.report, "'$.remark', NULL", where: "resource IN (SELECT id FROM reports WHERE decider = ?3)"),
            // Reports and listings of clubs that ended with their last member. Everyone received the listings.
            blank(
                .report, copy,
                where: """
                    resource IN (SELECT id FROM reports
                        WHERE about = 'club' AND NOT EXISTS (SELECT 1 FROM clubs WHERE clubs.id = reports.subject))
                    """),
            blank(
                .listing, "'$.name', '', '$.description', NULL",
                where: "NOT EXISTS (SELECT 1 FROM clubs WHERE clubs.id = changes.resource)"),
        ]

    private static let name = "'$.name', ''"
    private static let copy = "'$.copy', NULL"
    private static let noteWords = "'$.body', '', '$.authorName', ''"
    private static let standing =
        "'$.name', '', '$.progress', NULL, '$.state', NULL, '$.lastReadAt', NULL, '$.finishedAt', NULL"

    /// Returns the statement for the changes whose JSON member `member` is the reader's id.
    private static func blank(_ kind: ResourceKind, _ blanked: String, of member: String) -> SQLText {
        blank(
            kind, blanked,
            where: "ifnull(json_extract(value, '$.\(member)'), json_extract(before, '$.\(member)')) = ?4")
    }

    /// Returns the statement that replaces JSON members, given with their new values. A note's position and quotation
    /// are removed.
    private static func blank(_ kind: ResourceKind, _ blanked: String, where condition: String) -> SQLText {
        func redacted(_ column: String) -> String {
            let replaced = "json_replace(\(column), \(blanked))"
            return kind == .note
                ? "json_remove(\(replaced), '$.position', '$.opensAt', '$.quote', '$.language')" : replaced
        }
        return SQLText(
            """
            UPDATE changes SET value = \(redacted("value")), before = \(redacted("before"))
            WHERE seq > ?1 AND seq <= ?2 AND operation < 4 AND kind = \(kind.rawValue) AND \(condition)
            """)
    }

    /// Redacts a slice of the log after `place`. Returns the last change that was visited, or `nil` at the end of the
    /// log. Needs a transaction.
    static func go(
        on place: Int64, of departure: ReaderDeparture, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Int64? {
        let head = try connection.number("SELECT max(seq) FROM changes") ?? 0
        let from = max(place, (try connection.number("SELECT min(seq) FROM changes") ?? 1) - 1)
        guard from < head else { return nil }
        let end = min(from + rowsMax, head)
        try connection.statement(wipe).bind(from, end, departure.reader).run()
        for sql in blanks {
            try connection.statement(sql).bind(from, end, departure.reader, departure.id.description).run()
        }
        return end
    }

    private static let answers = SQLText(
        """
        UPDATE idempotency_keys SET value = NULL WHERE at > ?1 AND at <= ?2 AND value IS NOT NULL
            AND (instr(value, ?3) > 0 OR instr(value, '"author":"\(ResourceID.zero)"') > 0)
        """)

    /// Redacts a slice of the outcomes that are stored for other readers' idempotency keys, in order of time. A
    /// repeated request then gets its outcome without the value. Values with an unnamed author are removed too, because
    /// the author may be this reader.
    static func continueWithOutcomes(
        behind place: Int64, of departure: ReaderDeparture, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Int64? {
        let last = try connection.number("SELECT max(at) FROM idempotency_keys") ?? 0
        guard place < last else { return nil }
        let end =
            try connection.statement("SELECT at FROM idempotency_keys WHERE at > ?1 ORDER BY at LIMIT 1 OFFSET ?2")
            .bind(place, rowsMax).number() ?? last
        try connection.statement(answers).bind(place, end, departure.id.description).run()
        return end
    }
}
