import CSQLite

/// The writer's part in a backup: some pages now and then, for a share of the time, and more as long as nobody writes.
struct Copying {
    private let connection: Connection
    private let orders: CopyOrders
    private var current: (order: CopyOrder, copy: PageCopy)?
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
    var isUnderWay: Bool { current != nil }
    /// Whether something was rolled back meanwhile, so that it began anew.
    var hasBegunAnew: Bool { current.map { $0.copy.restarts > 0 } ?? false }

    /// Copies some pages, if that is wished for, and due, or `isIdle`: nobody has written for a while. True when there is more to do as
    /// soon as nothing else waits.
    mutating func tend(isIdle: Bool, isAwaited: () -> Bool) -> Bool {
        if current == nil, let order = orders.take() { begin(order) }
        guard let (order, copy) = current else { return false }
        if order.isCancelled {
            end(CopyOrder.broken)
            return false
        }
        guard isIdle || MonotonicTime.microseconds >= dueAt else { return true }
        do throws(SQLiteError) {
            if try work(copy, isIdle: isIdle, isAwaited) { end(nil) }
        } catch {
            end(error)
        }
        return current != nil
    }

    private mutating func work(
        _ copy: PageCopy, isIdle: Bool, _ isAwaited: () -> Bool
    ) throws(SQLiteError) -> Bool {
        let pages = Self.pages << min(max(copy.restarts - Self.restartsMax, 0), Self.doublingsMax)
        var now = MonotonicTime.microseconds
        let end = now + Self.idleMicroseconds
        repeat {
            let began = now
            if try copy.step(pages: pages) { return true }
            now = MonotonicTime.microseconds
            dueAt = now + min((now - began) * (Self.share - 1), Self.waitMicroseconds)
        } while isIdle && now < end && !isAwaited()
        return false
    }

    private mutating func begin(_ order: CopyOrder) {
        do throws(SQLiteError) {
            current = (order, try PageCopy(of: connection, to: order.path))
        } catch {
            order.end(error)
        }
    }

    private mutating func end(_ error: SQLiteError?) {
        guard let (order, copy) = current else { return }
        current = nil
        copy.end()
        order.end(error)
    }

    /// The writer ends: so does what is not whole, or was never begun.
    mutating func finish() {
        orders.close()
        end(CopyOrder.broken)
    }
}
