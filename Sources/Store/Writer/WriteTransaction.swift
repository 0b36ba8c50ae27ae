import Model

/// The open write transaction, which applies decisions, including imported changes. It gives each change its version
/// and writes the row and its log entry. Proposals without a difference are skipped.
struct WriteTransaction {
    let connection: SQLiteConnection
    var log: ChangeLog
    /// The changes of the open transaction, in order.
    private(set) var changes: [Change] = []
    /// The stream notices of the open transaction.
    private(set) var notices: [StreamRowChange] = []
    let recentReadings = RecentReadings()
    /// The readers whose accounts are deleted, from whom commands are refused.
    let departed: DepartedReaders
    /// The current day by the retention clock, in days since 1970-01-01.
    var today: Int64 = 0
    /// The connection's count of written rows at the beginning of the open transaction.
    private var writtenBefore: Int64 = 0

    init(_ connection: SQLiteConnection, departed: DepartedReaders = DepartedReaders()) throws(SQLiteError) {
        self.departed = departed
        self.connection = connection
        connection.wordCache.forget()
        log = try ChangeLog(connection)
    }

    var mark: TransactionRewindPoint {
        TransactionRewindPoint(
            seq: log.nextSeq, count: changes.count, noticeCount: notices.count, writtenCount: writtenCount)
    }

    /// Discards the state after the mark. The caller has rolled the database back to it.
    mutating func rewind(to mark: TransactionRewindPoint) {
        log.rewind(to: mark.seq)
        recentReadings.forget()
        connection.wordCache.forget()
        changes.removeSubrange(mark.count...)
        notices.removeSubrange(mark.noticeCount...)
        writtenBefore = connection.writtenRowCount - mark.writtenCount
    }

    /// Starts the next transaction.
    mutating func begin() {
        changes.removeAll(keepingCapacity: true)
        notices.removeAll()
        writtenBefore = connection.writtenRowCount
    }

    /// The number of rows that the open transaction has written, in the log and in other tables.
    var writtenCount: Int64 { connection.writtenRowCount - writtenBefore }

    /// Records a stream's new value, which is committed and published but is not in the change log.
    mutating func recordSilently(_ stream: ResourceID, is value: Model.Stream?) {
        notices.append(StreamRowChange(stream: stream, seq: log.nextSeq - 1, value: value))
    }

    /// Applies a decision and returns the outcome of its subject. Its changes form one transaction, or belong to the
    /// transaction whose first change is `command`.
    mutating func apply(
        _ decision: CommandDecision, at now: Instant, command: Int64? = nil
    ) throws(SQLiteError) -> CommandOutcome {
        let moment = ChangeMoment(at: now, command: command ?? log.nextSeq)
        var subject: CommandOutcome?
        for (index, proposal) in decision.proposals.enumerated() {
            let outcome = try proposal.apply(to: &self, moment)
            if index == decision.subject { subject = outcome }
        }
        return subject ?? decision.outcome
    }

    /// Appends a row's change to the log and returns its outcome.
    mutating func record<Row: Resource>(
        _ row: Row, _ operation: ChangeOperation, _ moment: ChangeMoment, scope: ChangeScope, value: [UInt8]?,
        before: [UInt8]?,
        changed: FieldSet = []
    ) throws(SQLiteError) -> CommandOutcome {
        let seq = log.nextSeq
        try record(
            Change(
                seq: seq, transaction: moment.command, at: moment.at, kind: Row.kind, id: row.id, scope: scope,
                operation: operation, changed: changed, value: value, before: before, key: row.key))
        let effect: CommandEffect =
            switch operation {
            case .created: .created
            case .updated: .updated
            case .deleted: .deleted
            case .unlocked, .hidden, .raised, .undone, .moved: .unchanged
            }
        return CommandOutcome(kind: Row.kind, id: row.id, version: seq, value: value, effect: effect)
    }

    /// Appends a change that does not belong to a single row.
    mutating func record(_ change: Change) throws(SQLiteError) {
        try log.append(change)
        changes.append(change)
    }
}

/// A point in the transaction that `rewind(to:)` returns to.
struct TransactionRewindPoint {
    let seq: Int64
    let count: Int
    let noticeCount: Int
    let writtenCount: Int64
}
