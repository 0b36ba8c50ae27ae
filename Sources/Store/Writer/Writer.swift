import CSQLite
import Glibc
import JSON
import Measures
import Model

/// The only thread that writes. It takes the waiting commands, decides and applies them in one transaction, commits,
/// publishes and completes them.
final class Writer {
    let connection: SQLiteConnection
    private let queue: CommandQueue
    private var pending = PendingCommands()
    let configuration: StoreConfiguration
    let counters: StoreCounters
    private let receive: @Sendable (Commit) -> Void
    let fail: @Sendable (String) -> Never
    var transaction: WriteTransaction
    var maintenance: WriterMaintenance
    let rowLog: RowLog
    /// The recorder of changed rows, while there is a log of them.
    var recorder: RowRecorder?
    /// The pause before the next slice of a change to many rows.
    var bulkChangePause = BulkChangePause()
    /// The second of the last check for due events.
    var lookedAt: Int64 = 0
    /// The start of the open transaction.
    private var start: TransactionRewindPoint
    /// The time at which the open transaction is to end, in monotonic microseconds.
    var turnEnd = 0

    init(
        _ connection: SQLiteConnection, _ queue: CommandQueue, _ configuration: StoreConfiguration,
        _ counters: StoreCounters,
        _ maintenance: WriterMaintenance, _ rowLog: RowLog, _ recorder: RowRecorder?,
        receive: @escaping @Sendable (Commit) -> Void,
        fail: @escaping @Sendable (String) -> Never
    ) throws(SQLiteError) {
        self.connection = connection
        self.queue = queue
        self.configuration = configuration
        self.counters = counters
        (self.rowLog, self.recorder) = (rowLog, recorder)
        self.receive = receive
        self.fail = fail
        transaction = try WriteTransaction(connection, departed: DepartedReaders(counters))
        start = transaction.rewindPoint
        self.maintenance = maintenance
        recordDay()
    }

    /// Runs until the queue is closed and empty.
    func run() {
        var patience = Self.patienceMilliseconds
        while accept(patience: pending.isEmpty ? patience : 0) {
            let hasWork = !pending.isEmpty
            if hasWork { serve() }
            let hasMoreDueEvents = writeDueEvents()
            let hasMore = maintenance.runMaintenance(isIdle: !hasWork, head: transaction.nextSeq - 1)
            let hasProgressed = continueWork()
            recordRows()
            patience = hasMore && hasProgressed || hasMoreDueEvents ? 0 : Self.patienceMilliseconds
            if maintenance.hasBulkChanges, hasProgressed {
                patience = min(patience, bulkChangePause.millisecondsLeft(at: MonotonicClock.microseconds()))
            }
        }
        recordRows(isLast: true)
        maintenance.finish(head: transaction.nextSeq - 1)
    }

    /// The time for which the writer waits for commands before it checks for other work.
    private static let patienceMilliseconds = 1000

    /// Accepts the waiting commands. Returns `false` if none are left and the queue is closed.
    ///
    /// An event loop on the writer's core that has more commands runs first (`sched_yield`). With 64 clients writing on
    /// one core, that makes a write 12 % cheaper, because more writes share a commit.
    private func accept(patience: Int) -> Bool {
        sched_yield()
        guard let new = queue.take(patience: patience) else { return !pending.isEmpty }
        pending.add(new)
        return true
    }

    private enum CommandProgress {
        case finished(BatchResult)
        /// A batch whose remaining lines wait for the next transaction.
        case unfinished(BatchProgress)
    }

    /// Runs one transaction for the commands whose turn it is.
    private func serve() {
        var turn = PendingCommands.TransactionLimits(max: configuration.batchMax)
        write { [self] in
            guard let command = pending.next(in: &turn) else { return nil }
            if command.progress == nil { queue.begin(weight: command.weight) }
            return command
        }
    }

    /// Runs one transaction with as many commands as its time allows, and completes each finished command.
    func write(_ next: () -> SubmittedCommand?) {
        guard maintenance.mayWrite() else {
            while let command = next() { refuse([command], .outOfSpace) }
            return
        }
        // Taken before the transaction begins: if that fails, the command is refused instead of being retried forever.
        guard let first = next() else { return }
        var batch = [first]
        do throws(SQLiteError) {
            try transact(&batch, next)
        } catch {
            abandon(batch, error)
        }
    }

    /// Applies and commits a batch.
    ///
    /// A decision has been checked, so applying it rarely fails. The batch is applied without a savepoint for each
    /// command, because savepoints cost a third of the rate. If the database refuses a command, the batch is repeated
    /// with savepoints, so that only this command fails.
    private func transact(_ batch: inout [SubmittedCommand], _ next: () -> SubmittedCommand?) throws(SQLiteError) {
        var results: [CommandProgress]
        let began = MonotonicClock.microseconds()
        do throws(SQLiteError) {
            results = try runTransaction(&batch, next, isolating: false)
        } catch {
            guard Self.isRefusal(error) else { throw error }
            try connection.rollBack()
            transaction.rewind(to: start)
            results = try runTransaction(&batch, next, isolating: true)
        }
        counters.turns.record(MonotonicClock.microseconds() - began)
        counters.add(.commands, batch.reduce(0) { $0 + ($1.progress == nil ? $1.weight : 0) })
        try finishTransaction(of: batch.count)
        publish()
        complete(batch, results)
    }

    /// Runs the commands of a batch, and then more commands until the turn is over.
    private func runTransaction(
        _ batch: inout [SubmittedCommand], _ next: () -> SubmittedCommand?, isolating: Bool
    ) throws(SQLiteError) -> [CommandProgress] {
        var now = MonotonicClock.microseconds()
        turnEnd = now + configuration.turnMicrosecondsMax
        try connection.beginWriting()
        transaction.begin()
        start = transaction.rewindPoint
        var results: [CommandProgress] = []
        while results.count < batch.count || now < turnEnd {
            if results.count == batch.count {
                guard let command = next() else { break }
                batch.append(command)
            }
            let command = batch[results.count]
            results.append(try run(command, isolating: isolating))
            let end = MonotonicClock.microseconds()
            pending.charge(end - now, to: command.subject)
            now = end
        }
        return results
    }

    /// Commits the transaction. Without a written row there is nothing to sync, and the transaction is
    /// rolled back.
    private func finishTransaction(of commands: Int) throws(SQLiteError) {
        guard transaction.writtenCount > 0 else {
            return try connection.run("ROLLBACK")
        }
        let began = MonotonicClock.microseconds()
        try connection.run("COMMIT")
        counters.recordCommit(of: commands, transaction.changes.count, since: began)
    }

    private func publish() {
        guard !transaction.changes.isEmpty || !transaction.streamChanges.isEmpty else { return }
        receive(
            Commit(
                changes: transaction.changes, streamChanges: transaction.streamChanges, head: transaction.nextSeq - 1))
    }

    private func complete(_ batch: [SubmittedCommand], _ results: [CommandProgress]) {
        for (command, result) in zip(batch, results) {
            switch result {
            case .finished(let result): command.completion(result)
            case .unfinished(let progress):
                command.progress = progress
                pending.putBack(command)
            }
        }
    }

    private static let reusedKey = RequestError.refused(
        .idempotencyKeyReused, "This Idempotency-Key was used for another request. Send a new key.")

    /// Decides and applies one command, unless it is the repetition of an earlier one.
    ///
    /// Not inlined: the 6.3 optimizer aborts when it inlines this into a loop that throws a typed error.
    @inline(never)
    private func run(_ submission: SubmittedCommand, isolating: Bool) throws(SQLiteError) -> CommandProgress {
        let now = Instant.now
        if try hasLeft(submission.actor) { return .finished(.failure(Self.unknownToken)) }
        if let key = submission.idempotency, submission.progress == nil,
            let earlier = try IdempotencyKeyTable.find(
                key, since: maintenance.time.adding(seconds: -Int64(configuration.idempotencyHours) * 3600),
                in: connection)
        {
            return .finished(earlier.map { .success($0) } ?? .failure(Self.reusedKey))
        }
        let result: BatchResult
        if let lines = submission.command.batch {
            var progress = submission.progress ?? BatchProgress()
            let pauses = lines.mayPause(hasIdempotencyKey: submission.idempotency != nil)
            guard let whole = try apply(lines, &progress, pauses: pauses, isolating: isolating, at: now) else {
                return .unfinished(progress)
            }
            result = whole
        } else {
            result = try decideAndApply(submission.command, submission.actor, isolating: isolating, at: now)
        }
        if let key = submission.idempotency, case .success(let outcome) = result {
            try IdempotencyKeyTable.insert(key, outcome, at: maintenance.time, in: connection)
        }
        return .finished(result)
    }
}
