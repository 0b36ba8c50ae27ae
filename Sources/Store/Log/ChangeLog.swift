import Model

/// The writer's end of the change log, which assigns each change its sequence number.
struct ChangeLog {
    private let connection: SQLiteConnection
    /// The sequence number of the next change.
    private(set) var nextSeq: Int64

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        nextSeq = (try connection.number("SELECT max(seq) FROM changes") ?? 0) + 1
    }

    /// Reuses the numbers from `seq` on after their changes were rolled back.
    mutating func rewind(to seq: Int64) { nextSeq = seq }

    /// Appends a change, whose `seq` must be `nextSeq`.
    mutating func append(_ change: Change) throws(SQLiteError) {
        let (value, before, isText) = StoredLogValue.stored(change)
        try connection.statement(
            """
            INSERT INTO changes (seq, command, at, kind, resource, scope, reader, operation, value, before)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """
        ).bind(
            change.seq, change.transaction, change.at, Int64(change.kind.rawValue), change.id, change.scope.number,
            change.scope.reader, Int64(change.operation.stored.rawValue)
        )
        .run(value, at: 9, before, at: 10, isText: isText)
        nextSeq = change.seq + 1
    }
}
