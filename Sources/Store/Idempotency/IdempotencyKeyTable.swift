import Model

/// The stored outcomes of requests that may be repeated.
enum IdempotencyKeyTable {
    /// The stored effect of a request that changed nothing.
    private static let unchanged: Int64 = 4

    /// Returns the stored outcome, `nil` for a new key, or `.some(nil)` for a key that was used for another request.
    ///
    /// The outcome has no value if it is a note that the reader cannot see any more, or that no longer names its author.
    /// Such notes are also removed from the lines of a batch.
    static func find(
        _ key: IdempotencyKey, since start: Instant, in connection: SQLiteConnection
    ) throws(SQLiteError) -> CommandOutcome?? {
        try connection.statement(
            """
            SELECT request, kind, resource, version, value, effect, validator FROM idempotency_keys
            WHERE reader = ?1 AND key = ?2 AND at >= ?3
            """
        ).bind(key.readerKey, key.key, start).first {
            statement throws(SQLiteError) -> CommandOutcome? in
            guard statement.equals(0, key.request) else { return nil }
            let id = statement.id(2)
            let kind: ResourceKind? =
                id == .zero ? nil : try statement.choice(1, "idempotency_keys.kind", key: key.readerKey)
            let value =
                switch kind {
                case .note: try isShown(id, to: key.readerKey, connection) ? statement.bytes(4) : nil
                case nil: try shown(key, connection) ?? statement.bytes(4)
                default: statement.bytes(4)
                }
            return CommandOutcome(
                kind.map { ($0, id) }, version: statement.integer(3), value: value,
                effect: statement.integer(5) == unchanged
                    ? nil : try statement.choice(5, "idempotency_keys.effect", key: key.readerKey),
                ownValidator: statement.integer(6), isReplay: true)
        }
    }

    private static func isShown(
        _ note: ResourceID, to reader: Int64, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        try NoteTable.find(note, seenBy: reader, in: connection)?.isNameless == false
    }

    /// The lines of a batch whose body, or whose problem's current resource, is a note. Only notes have `replyCount`.
    private static let notes = SQLText(
        """
        SELECT line.key, ifnull(json_extract(line.value, '$.body.id'), json_extract(line.value, '$.body.current.id'))
        FROM idempotency_keys, json_each(idempotency_keys.value, '$.answers') AS line
        WHERE reader = ?1 AND idempotency_keys.key = ?2 AND ifnull(json_type(line.value, '$.body.replyCount'),
            json_type(line.value, '$.body.current.replyCount')) IS NOT NULL
        """)

    /// The stored value of a batch without the bodies of the lines in a JSON array.
    private static let remainder = SQLText(
        """
        SELECT json_object('answers', json_group_array(json(CASE WHEN line.key IN (SELECT value FROM json_each(?3))
            THEN json_remove(line.value, '$.body') ELSE line.value END)))
        FROM idempotency_keys, json_each(idempotency_keys.value, '$.answers') AS line
        WHERE reader = ?1 AND idempotency_keys.key = ?2
        """)

    /// Returns the stored value of a batch without the bodies that are not shown any more, or `nil` if all are.
    private static func shown(
        _ key: IdempotencyKey, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [UInt8]? {
        var hidden: [Int64] = []
        for (line, note) in try connection.statement(notes).bind(key.readerKey, key.key).all({
            ($0.integer(0), ResourceID($0.text(1)))
        }) {
            if let note, try isShown(note, to: key.readerKey, connection) { continue }
            hidden.append(line)
        }
        guard !hidden.isEmpty else { return nil }
        return try connection.statement(remainder).bind(key.readerKey, key.key, "\(hidden)").first { $0.bytes(0) }
            ?? nil
    }

    static func insert(
        _ key: IdempotencyKey, _ outcome: CommandOutcome, at now: Instant, in connection: SQLiteConnection
    ) throws(SQLiteError) {
        try connection.statement(
            """
            INSERT OR REPLACE INTO idempotency_keys
                (reader, key, request, at, kind, resource, version, value, effect, validator)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """
        ).bind(
            key.readerKey, key.key, key.request, now, Int64(outcome.resource?.kind.rawValue ?? 0),
            outcome.resource?.id ?? .zero, outcome.version, outcome.value.map(UTF8Text.init),
            outcome.effect.map { Int64($0.rawValue) } ?? unchanged, outcome.validator
        ).run()
    }
}
