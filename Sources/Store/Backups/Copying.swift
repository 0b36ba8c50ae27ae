import CSQLite

/// The writer's part in backups: some pages now and then, for a share of the time, and more as long as nobody writes. Copies that are
/// under way at once take turns.
struct Copying {
    private let connection: Connection
    private let orders: CopyOrders
    private var jobs: [(order: CopyOrder, copy: PageCopy)] = []
    private var turn = 0
    /// When the next step is due while others write, by the clock of `MonotonicTime`.
    private var dueAt = 0

    /// Pages at once: a fifth of a millisecond, which is how long a command waits at most that comes while nobody else did.
    private static let pages: Int32 = 64
    /// What part of the time is the copy's while others write.
    private static let share = 24
    /// The longest that a step waits for: one that took longer than its share of that was held up by others rather than by its pages,
    /// and a machine that is busy for hours is to have its backup all the same.
    private static let waitMicroseconds = 1_000_000
    private static let idleMicroseconds = 20_000
    /// After so long without a command nobody writes.
    static let pauseMilliseconds = 2
    /// So often it begins anew before each step takes more at once, up to 4096 pages.
    private static let restartsMax: Int32 = 4
    private static let doublingsMax: Int32 = 6

    init(_ connection: Connection, _ orders: CopyOrders) {
        (self.connection, self.orders) = (connection, orders)
    }

    /// Whether a copy is under way.
    var isUnderWay: Bool { !jobs.isEmpty }
    /// Whether something was rolled back meanwhile, so that one began anew.
    var hasBegunAnew: Bool { jobs.contains { $0.copy.restarts > 0 } }

    /// Copies some pages, if that is wished for, and due, or `isIdle`: nobody has written for a while. True when there is more to do as
    /// soon as nothing else waits.
    mutating func tend(isIdle: Bool, isAwaited: () -> Bool) -> Bool {
        for order in orders.take() { begin(order) }
        guard !jobs.isEmpty else { return false }
        for index in jobs.indices.reversed() where jobs[index].order.isCancelled { end(index, CopyOrder.broken) }
        guard let index = nextReady() else { return false }
        guard isIdle || MonotonicTime.microseconds >= dueAt else { return true }
        do throws(SQLiteError) {
            if try work(jobs[index].order, jobs[index].copy, isIdle: isIdle, isAwaited) { end(index, nil) }
        } catch {
            end(index, error)
        }
        return jobs.contains { $0.order.isReady }
    }

    /// The next copy, in turn, that is ready.
    private mutating func nextReady() -> Int? {
        for _ in jobs.indices {
            turn = (turn + 1) % jobs.count
            if jobs[turn].order.isReady { return turn }
        }
        return nil
    }

    private mutating func work(
        _ order: CopyOrder, _ copy: PageCopy, isIdle: Bool, _ isAwaited: () -> Bool
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

    private mutating func begin(_ order: CopyOrder) {
        do throws(SQLiteError) {
            let copy =
                switch order.target {
                case .file(let path): try PageCopy(of: connection, to: path)
                case .stream(let stream): try PageCopy(of: connection, to: stream)
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

    /// The writer ends: so do copies that are not whole, or were never begun.
    mutating func finish() {
        orders.close()
        for index in jobs.indices.reversed() { end(index, CopyOrder.broken) }
    }
}
