import CSQLite

/// The writer's part in backups. It copies a few pages at a time, for a fixed share of the time, and more while no
/// command is written. Concurrent copies take turns.
struct DatabaseCopier {
    private let connection: Connection
    private let orders: DatabaseCopyQueue
    private var jobs: [(order: DatabaseCopyRequest, copy: PagewiseDatabaseCopy)] = []
    private var turn = 0
    /// The time of the next step while commands are written, in monotonic microseconds.
    private var dueAt = 0

    /// The number of pages of one step. It takes a fifth of a millisecond, which a command that arrives in an idle
    /// moment waits at most.
    private static let pages: Int32 = 64
    /// The divisor of the copy's share of the time while commands are written.
    private static let share = 24
    /// The maximum pause after a step. A longer computed pause means that other threads delayed the step. A backup must
    /// finish even on a machine that is busy for hours.
    private static let waitMicroseconds = 1_000_000
    private static let idleMicroseconds = 20_000
    /// The milliseconds without a command after which the writer counts as idle.
    static let pauseMilliseconds = 2
    /// The number of restarts after which the step size doubles with each further restart, up to 4096 pages.
    private static let restartsMax: Int32 = 4
    private static let doublingsMax: Int32 = 6

    init(_ connection: Connection, _ orders: DatabaseCopyQueue) {
        (self.connection, self.orders) = (connection, orders)
    }

    /// A Boolean value indicating whether a copy is in progress.
    var isUnderWay: Bool { !jobs.isEmpty }
    /// A Boolean value indicating whether a copy in progress was restarted because of a rollback.
    var hasBegunAnew: Bool { jobs.contains { $0.copy.restarts > 0 } }

    /// Copies some pages if a copy is in progress, and a step is due or the writer `isIdle`. Returns `true` if more
    /// work is ready as soon as no command waits.
    mutating func runMaintenance(isIdle: Bool, isAwaited: () -> Bool) -> Bool {
        for order in orders.take() { begin(order) }
        guard !jobs.isEmpty else { return false }
        for index in jobs.indices.reversed() where jobs[index].order.isCancelled {
            end(index, DatabaseCopyRequest.broken)
        }
        guard let index = nextReady() else { return false }
        guard isIdle || MonotonicTime.microseconds >= dueAt else { return true }
        do throws(SQLiteError) {
            if try work(jobs[index].order, jobs[index].copy, isIdle: isIdle, isAwaited) { end(index, nil) }
        } catch {
            end(index, error)
        }
        return jobs.contains { $0.order.isReady }
    }

    /// Returns the index of the next ready copy, in turn.
    private mutating func nextReady() -> Int? {
        for _ in jobs.indices {
            turn = (turn + 1) % jobs.count
            if jobs[turn].order.isReady { return turn }
        }
        return nil
    }

    private mutating func work(
        _ order: DatabaseCopyRequest, _ copy: PagewiseDatabaseCopy, isIdle: Bool, _ isAwaited: () -> Bool
    ) throws(SQLiteError) -> Bool {
        let pages = Self.pages << min(max(copy.restarts - Self.restartsMax, 0), Self.doublingsMax)
        var now = MonotonicTime.microseconds
        let end = now + Self.idleMicroseconds
        repeat {
            let began = now
            if try copy.step(pages: pages) { return true }
            now = MonotonicTime.microseconds
            dueAt = now + min((now - began) * (Self.share - 1), Self.waitMicroseconds)
        } while isIdle && now < end && order.isReady && !isAwaited()
        return false
    }

    private mutating func begin(_ order: DatabaseCopyRequest) {
        do throws(SQLiteError) {
            let copy =
                switch order.target {
                case .file(let path): try PagewiseDatabaseCopy(of: connection, to: path)
                case .stream(let stream): try PagewiseDatabaseCopy(of: connection, to: stream)
                }
            jobs.append((order, copy))
        } catch {
            order.end(error)
        }
    }

    private mutating func end(_ index: Int, _ error: SQLiteError?) {
        let (order, copy) = jobs.remove(at: index)
        copy.end()
        guard error == nil, case .stream(let stream) = order.target else { return order.end(error) }
        do throws(SQLiteError) {
            let seq = try connection.number("SELECT max(seq) FROM changes") ?? 0
            stream.end(pageCount: copy.pageCount, seq: seq)
            order.end(nil)
        } catch {
            order.end(error)
        }
    }

    /// Ends all orders when the writer ends: unfinished copies and orders that were not begun.
    mutating func finish() {
        orders.close()
        for index in jobs.indices.reversed() { end(index, DatabaseCopyRequest.broken) }
    }
}
