import Model

/// The applying of decisions: gives each change its version, writes the row and its log entry, and skips what changes
/// nothing. Changes decided elsewhere come in by here too.
struct Application {
    let connection: Connection
    var log: ChangeLog
    /// The changes of the transaction that is open, in order.
    private(set) var changes: [Change] = []
    /// What became of streams in it.
    private(set) var notices: [StreamNotice] = []
    let recentReadings = RecentReadings()
    /// Who is heard no more.
    let departed: Departed
    /// The day by the clock by which the house forgets, counted from 1970-01-01.
    var today: Int64 = 0
    /// Whether something was written that is no change.
    private(set) var hasSilentWrites = false

    init(_ connection: Connection, departed: Departed = Departed()) throws(SQLiteError) {
        self.departed = departed
        departed.doubt()
        self.connection = connection
        connection.knownWords.forget()
        log = try ChangeLog(connection)
    }

    /// Where the transaction stands, to come back to.
    struct Mark {
        let seq: Int64
        let count: Int
        let noticeCount: Int
        let hasSilentWrites: Bool
    }

    var mark: Mark {
        Mark(
            seq: log.nextSeq, count: changes.count, noticeCount: notices.count, hasSilentWrites: hasSilentWrites)
    }

    /// Forgets what was applied after the mark; the database has rolled it back.
    mutating func rewind(to mark: Mark) {
        log.rewind(to: mark.seq)
        recentReadings.forget()
        departed.doubt()
        connection.knownWords.forget()
        changes.removeSubrange(mark.count...)
        notices.removeSubrange(mark.noticeCount...)
        hasSilentWrites = mark.hasSilentWrites
    }

    /// Begins the next transaction.
    mutating func begin() {
        changes.removeAll(keepingCapacity: true)
        notices.removeAll()
        hasSilentWrites = false
    }

    /// Notes that the transaction must be committed although it may hold no change.
    mutating func noteSilentWrite() { hasSilentWrites = true }

    /// Notes what became of a stream: that must be committed, and is no change.
    mutating func noteSilently(_ stream: ResourceID, is value: Model.Stream?) {
        notices.append(StreamNotice(stream: stream, seq: log.nextSeq - 1, value: value))
        noteSilentWrite()
    }

    /// Applies a decision; the outcome is that of its subject. Its changes are one transaction, or part of one that began with
    /// the change `command`.
    mutating func apply(
        _ decision: Decision, at now: Instant, command: Int64? = nil
    ) throws(SQLiteError) -> Outcome {
        let moment = Moment(at: now, command: command ?? log.nextSeq)
        var subject: Outcome?
        for (index, proposal) in decision.proposals.enumerated() {
            let outcome = try proposal.apply(to: &self, moment)
            if index == decision.subject { subject = outcome }
        }
        return subject
            ?? Outcome(kind: .token, id: ResourceID(high: 0, low: 0), version: 0, value: nil, effect: .unchanged)
    }

    /// Notes a change in the log.
    mutating func note<Row: Resource>(
        _ row: Row, _ operation: ChangeOperation, _ moment: Moment, scope: Scope, value: [UInt8]?, before: [UInt8]?,
        changed: FieldSet = []
    ) throws(SQLiteError) -> Outcome {
        let seq = log.nextSeq
        try note(
            Change(
                seq: seq, transaction: moment.command, at: moment.at, kind: Row.kind, id: row.id, scope: scope,
                operation: operation, changed: changed, value: value, before: before, key: row.key))
        let effect: Outcome.Effect =
            switch operation {
            case .created: .created
            case .updated: .updated
            case .deleted: .deleted
            case .unlocked, .hidden, .raised, .undone, .moved: .unchanged
            }
        return Outcome(kind: Row.kind, id: row.id, version: seq, value: value, effect: effect)
    }

    /// Notes a change that is of no row alone.
    mutating func note(_ change: Change) throws(SQLiteError) {
        try log.append(change)
        changes.append(change)
    }
}
