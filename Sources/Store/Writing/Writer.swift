import CSQLite
import Glibc
import JSON
import Model
import Synchronization

/// The one thread that writes: takes what waits, decides and applies it in one transaction, commits, publishes, answers.
final class Writer {
    let connection: Connection
    private let queue: CommandQueue
    let configuration: StoreConfiguration
    let counters: StoreCounters
    private let hear: @Sendable (Commit) -> Void
    private let fail: @Sendable (String) -> Never
    var application: Application
    private(set) var housekeeping: Housekeeping
    private var copying: Copying
    /// The second of the last look at the clock.
    var lookedAt: Int64 = 0
    /// Where the log stood when the open transaction began.
    private var start: Application.Mark

    init(
        _ connection: Connection, _ queue: CommandQueue, _ configuration: StoreConfiguration, _ counters: StoreCounters,
        _ housekeeping: Housekeeping, _ orders: CopyOrders, hear: @escaping @Sendable (Commit) -> Void,
        fail: @escaping @Sendable (String) -> Never
    ) throws(SQLiteError) {
        self.connection = connection
        self.queue = queue
        self.configuration = configuration
        self.counters = counters
        self.hear = hear
        self.fail = fail
        application = try Application(connection)
        start = application.mark
        self.housekeeping = housekeeping
        copying = Copying(connection, orders)
        noteDay()
    }

    /// Works until the queue is closed and empty.
    func run() {
        var patience = housekeeping.isRenewing ? 0 : Self.patienceMilliseconds
        while let batch = take(patience: patience) {
            if !batch.isEmpty { write(batch) }
            let isLate = tellTime()
            let isIdle = batch.isEmpty && !copying.isUnderWay
            let hasMore = housekeeping.tend(isIdle: isIdle, head: application.log.nextSeq - 1)
            let hasGoneOn = goOn()
            let isCopying = copying.tend(isIdle: batch.isEmpty) { queue.count > 0 }
            patience = hasMore && hasGoneOn || isLate ? 0 : Self.patienceMilliseconds
            // Who has just been answered may ask for more at once: that is no time for the copy.
            if isCopying { patience = batch.isEmpty ? 0 : min(patience, Copying.pauseMilliseconds) }
        }
        copying.finish()
        housekeeping.finish(head: application.log.nextSeq - 1)
    }

    /// How long it waits for commands before it looks what else there is to do.
    private static let patienceMilliseconds = 1000

    /// What waits. An event loop that shares the writer's core and has more to hand over does so first: where 64 clients write
    /// on one core, that makes a write 12 % cheaper, for more of them share a commit.
    private func take(patience: Int) -> [Submission]? {
        sched_yield()
        return queue.take(max: configuration.batchMax, patience: patience)
    }

    private enum Answer {
        case decided(Outcome)
        case refused(LecternError)
    }

    /// One transaction for the whole batch, one answer for each of its members.
    func write(_ batch: [Submission]) {
        counters.commandCount.wrappingAdd(batch.reduce(0) { $0 + $1.weight }, ordering: .relaxed)
        guard housekeeping.mayWrite() else { return refuse(batch, .outOfSpace) }
        do throws(SQLiteError) {
            try transact(batch)
        } catch {
            abandon(batch, error)
        }
    }

    /// What a command decides has been checked, so applying it hardly ever fails: the batch is applied without a savepoint
    /// for each command (they cost a third of the rate). When one is refused all the same, the batch is done again with them,
    /// so that it is refused alone. That takes a copy of the database to its beginning: once.
    private func transact(_ batch: [Submission]) throws(SQLiteError) {
        var answers: [Answer]
        let isolating = copying.hasBegunAnew
        do throws(SQLiteError) {
            answers = try attempt(batch, isolating: isolating)
        } catch {
            guard !isolating, Self.isRefusal(error) else { throw error }
            if connection.isInTransaction { try connection.run("ROLLBACK") }
            application.rewind(to: start)
            answers = try attempt(batch, isolating: true)
        }
        try finishTransaction(of: batch.count)
        publish()
        answer(batch, answers)
    }

    private func attempt(_ batch: [Submission], isolating: Bool) throws(SQLiteError) -> [Answer] {
        try connection.run("BEGIN IMMEDIATE")
        application.begin()
        start = application.mark
        var answers: [Answer] = []
        answers.reserveCapacity(batch.count)
        for submission in batch { answers.append(try attempt(submission, isolating: isolating)) }
        return answers
    }

    /// Without a change there is nothing to make durable, and nothing is synced.
    private func finishTransaction(of commands: Int) throws(SQLiteError) {
        guard !application.changes.isEmpty || application.hasSilentWrites else {
            // What was taken back in a savepoint has left pages that a rollback would take a copy to its beginning for.
            return try copying.isUnderWay ? connection.run("COMMIT") : connection.run("ROLLBACK")
        }
        let began = MonotonicTime.microseconds
        try connection.run("COMMIT")
        counters.noteCommit(of: commands, application.changes.count, since: began)
    }

    private func publish() {
        guard !application.changes.isEmpty || !application.notices.isEmpty else { return }
        hear(
            Commit(
                changes: application.changes, notices: application.notices, head: application.log.nextSeq - 1))
    }

    private func answer(_ batch: [Submission], _ answers: [Answer]) {
        for (submission, answer) in zip(batch, answers) {
            switch answer {
            case .decided(let outcome): submission.completion(.success(outcome))
            case .refused(let error): submission.completion(.failure(error))
            }
        }
    }

    private func refuse(_ batch: [Submission], _ error: LecternError) {
        for submission in batch { submission.completion(.failure(error)) }
    }

    /// Decides and applies one command.
    ///
    /// Not inlined: the 6.3 optimizer aborts when it inlines this into a loop that throws a typed error.
    @inline(never)
    private func attempt(_ submission: Submission, isolating: Bool) throws(SQLiteError) -> Answer {
        let now = Instant.now
        if try hasLeft(submission.asker) { return .refused(Self.unknownToken) }
        if let key = submission.idempotency,
            let earlier = try IdempotencyTable.find(key, since: keysSince, in: connection)
        {
            return earlier.map { .decided($0) } ?? .refused(Self.reusedKey)
        }
        if let lines = submission.command.batch {
            // What lines say, as those of an import, comes from outside: one that is refused is to take no copy to its beginning.
            let isolating = isolating || copying.isUnderWay
            return try keep(try attempt(lines, isolating: isolating, at: now), of: submission)
        }
        let decision: Decision
        switch try decide(submission.command, submission.asker) {
        case .success(let decided): decision = decided
        case .failure(let error): return .refused(error)
        }
        guard isolating else { return .decided(try apply(decision, submission, now)) }
        switch try alone({ () throws(SQLiteError) in try apply(decision, submission, now) }) {
        case .success(let outcome): return .decided(outcome)
        case .failure(let error): return .refused(error)
        }
    }

    /// Keys that are older hold no longer.
    private var keysSince: Instant {
        housekeeping.time.adding(seconds: -Int64(configuration.idempotencyHours) * 3600)
    }

    private static let reusedKey = LecternError.refused(
        .idempotencyKeyReused, "This Idempotency-Key was used for another request. Send another key.")

    private func apply(_ decision: Decision, _ submission: Submission, _ now: Instant) throws(SQLiteError) -> Outcome {
        let outcome = try application.apply(decision, at: now)
        try keep(outcome, of: submission)
        return outcome
    }

    /// Keeps what became of a request that may come again.
    private func keep(_ outcome: Outcome, of submission: Submission) throws(SQLiteError) {
        guard let key = submission.idempotency else { return }
        try IdempotencyTable.insert(key, outcome, at: housekeeping.time, in: connection)
        application.noteSilentWrite()
    }

    private func keep(_ answer: Batch.Answer, of submission: Submission) throws(SQLiteError) -> Answer {
        switch answer {
        case .failure(let error): return .refused(error)
        case .success(let outcome):
            try keep(outcome, of: submission)
            return .decided(outcome)
        }
    }

    /// Nothing of the batch is there: tells everyone. When that cannot be known, the process ends, so that nobody is told
    /// something false.
    private func abandon(_ batch: [Submission], _ error: SQLiteError) {
        let wasBegun = connection.isInTransaction
        if wasBegun { try? connection.run("ROLLBACK") }
        // Another program has the file: nothing was applied.
        if error.isLocked, !wasBegun { return refuse(batch, error.asLecternError) }
        if error.isDiskFault {
            fail(
                "The disk failed (\(error.message), code \(error.code)). Whether the last commit is on it is not known."
            )
        }
        do { application = try Application(connection, departed: application.departed) } catch {
            fail("The database cannot be read after a failed write: \(error.message)")
        }
        noteDay()
        if error.isFull { housekeeping.noteFull() }
        refuse(batch, error.asLecternError)
    }
}
