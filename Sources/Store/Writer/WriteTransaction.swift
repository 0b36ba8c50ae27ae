import Model

/// The open write transaction, which applies decisions, including imported changes. It gives each change its version
/// and writes the row and its log entry. Changes without a difference are skipped.
struct WriteTransaction {
    let connection: SQLiteConnection
    /// The number of the next change of the log.
    private(set) var nextSeq: Int64
    /// The changes of the open transaction, in order.
    private(set) var changes: [Change] = []
    /// The changes of streams in the open transaction, in order.
    private(set) var streamChanges: [StreamRowChange] = []
    let recentReadings = RecentReadings()
    /// The readers whose accounts are deleted, from whom commands are refused.
    let departed: DepartedReaders
    /// The time of the decision that is being applied, and the `seq` of the first change of its transaction.
    private(set) var (now, firstSeq) = (Instant(milliseconds: 0), Int64(0))
    /// The current day by the retention clock, in days since 1970-01-01.
    var today: Int64 = 0
    /// The connection's count of written rows at the beginning of the open transaction.
    private var writtenBefore: Int64 = 0

    init(_ connection: SQLiteConnection, departed: DepartedReaders = DepartedReaders()) throws(SQLiteError) {
        self.departed = departed
        self.connection = connection
        connection.knownWords = []
        nextSeq = (try connection.number("SELECT max(seq) FROM changes") ?? 0) + 1
    }

    /// The state to which a refused command or batch rewinds the transaction.
    var rewindPoint: TransactionRewindPoint {
        TransactionRewindPoint(
            seq: nextSeq, count: changes.count, streamChangeCount: streamChanges.count, writtenCount: writtenCount)
    }

    /// Discards the state after a rewind point. The caller has rolled the database back to it.
    mutating func rewind(to point: TransactionRewindPoint) {
        nextSeq = point.seq
        recentReadings.forget()
        connection.knownWords = []
        changes.removeSubrange(point.count...)
        streamChanges.removeSubrange(point.streamChangeCount...)
        writtenBefore = connection.writtenRowCount - point.writtenCount
    }

    /// Starts the next transaction.
    mutating func begin() {
        changes.removeAll(keepingCapacity: true)
        streamChanges.removeAll()
        writtenBefore = connection.writtenRowCount
    }

    /// The number of rows that the open transaction has written, in the log and in other tables.
    var writtenCount: Int64 { connection.writtenRowCount - writtenBefore }

    /// Records a stream's new value, which is committed and published but is not in the change log.
    mutating func recordChange(ofStream stream: ResourceID, to value: NamedStream?) {
        streamChanges.append(StreamRowChange(stream: stream, seq: nextSeq - 1, value: value))
    }

    /// Applies a decision and returns the outcome of its subject. Its changes form one transaction, or belong to the
    /// transaction whose first change is `firstSeq`.
    mutating func apply(
        _ decision: CommandDecision, at now: Instant, firstSeq: Int64? = nil
    ) throws(SQLiteError) -> CommandOutcome {
        (self.now, self.firstSeq) = (now, firstSeq ?? nextSeq)
        var subject: CommandOutcome?
        for (index, change) in decision.changes.enumerated() {
            let outcome = try change.apply(to: &self)
            if index == decision.subject { subject = outcome }
        }
        return subject ?? decision.outcome
    }

    /// Appends a row's change to the log, and then its copy for the readers of another scope, if there is one. Returns
    /// the outcome of the change.
    mutating func record<Row: Resource>(
        _ row: Row, _ operation: ChangeOperation, scope: ChangeScope, copy: ChangeScope? = nil, value: [UInt8]?,
        before: [UInt8]?, changed: FieldSet = []
    ) throws(SQLiteError) -> CommandOutcome {
        let seq = nextSeq
        try record(
            Change(
                seq: seq, transaction: firstSeq, at: now, kind: Row.kind, id: row.id, scope: scope,
                operation: operation, changed: changed, value: value, before: before, key: row.key))
        if let copy { _ = try record(row, operation, scope: copy, value: value, before: before, changed: changed) }
        recentReadings.update(row, operation)
        return CommandOutcome((Row.kind, row.id), version: seq, value: value, effect: operation)
    }

    /// Appends a change to the log. Its `seq` must be `nextSeq`.
    mutating func record(_ change: Change) throws(SQLiteError) {
        let statement = try connection.statement(
            """
            INSERT INTO changes (seq, command, at, kind, resource, scope, reader, operation, value, before)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """
        ).bind(
            change.seq, change.transaction, change.at, Int64(change.kind.rawValue), change.id, change.scope.number,
            change.scope.reader, Int64(change.operation.rawValue))
        statement.bindLogged(change.value, of: change, at: 9)
        statement.bindLogged(change.before, of: change, at: 10)
        try statement.run()
        nextSeq = change.seq + 1
        changes.append(change)
    }
}

/// A point in the transaction that `rewind(to:)` returns to.
struct TransactionRewindPoint {
    let seq: Int64
    let count: Int
    let streamChangeCount: Int
    let writtenCount: Int64
}
