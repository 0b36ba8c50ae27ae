import Model

/// The stored outcomes of requests that may be repeated.
enum IdempotencyKeyTable {
    /// The stored effect of a request that changed nothing.
    private static let unchanged: Int64 = 4

    /// The ids of the notes in a stored value. Only notes have `replyCount`.
    private static let notes = SQLText(
        """
        SELECT json_extract(shown.value, '$.id') FROM idempotency_keys, json_tree(idempotency_keys.value) AS shown
        WHERE reader = ?1 AND idempotency_keys.key = ?2 AND shown.type = 'object'
            AND json_type(shown.value, '$.replyCount') IS NOT NULL
        """)

    /// Returns the stored outcome, `nil` for a new key, or `.some(nil)` for a key that was used for another request.
    ///
    /// The outcome has no value if it shows a note, also in a line of a batch, that the reader cannot see any more or
    /// that no longer names its author.
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
            let kind: ResourceKind = try statement.choice(1, "idempotency_keys.kind", key: key.readerKey)
            var isShown = true
            for id in try connection.statement(notes).bind(key.readerKey, key.key).all({ ResourceID($0.text(0)) }) {
                let note = try id.flatMap { id throws(SQLiteError) in
                    try NoteTable.find(id, seenBy: key.readerKey, in: connection)
                }
                isShown = isShown && note?.isNameless == false
            }
            return CommandOutcome(
                kind: kind, id: statement.id(2), version: statement.integer(3),
                value: isShown ? statement.bytes(4) : nil,
                effect: statement.integer(5) == unchanged
                    ? nil : try statement.choice(5, "idempotency_keys.effect", key: key.readerKey),
                ownValidator: statement.integer(6), isReplay: true)
        }
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
            key.readerKey, key.key, key.request, now, Int64(outcome.kind.rawValue), outcome.id, outcome.version,
            outcome.value.map(UTF8Text.init), outcome.effect.map { Int64($0.rawValue) } ?? unchanged,
            outcome.validator
        ).run()
    }
}
