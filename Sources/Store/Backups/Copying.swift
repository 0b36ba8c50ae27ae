import CSQLite

/// The writer's part in a backup: some pages after each batch, for a share of the time that the batches take, and more as long as
/// nobody waits.
struct Copying {
    private let connection: Connection
    private let orders: CopyOrders
    private var current: (order: CopyOrder, copy: PageCopy)?
    private var lastEnd = ContinuousClock.now

    /// Pages at once: a fifth of a millisecond, which is how long a command waits at most that comes while nobody else did.
    private static let pages: Int32 = 64
    /// What part of the time is the copy's while others write.
    private static let share = 24
    private static let idleSlice = Duration.milliseconds(20)
    /// So often it begins anew before each step takes more at once, so that it ends whatever happens.
    private static let restartsMax: Int32 = 4

    init(_ connection: Connection, _ orders: CopyOrders) {
        (self.connection, self.orders) = (connection, orders)
    }

    /// Whether a copy is under way.
    var isUnderWay: Bool { current != nil }

    /// Copies some pages, if that is wished for. True when there is more to do as soon as nothing else waits.
    mutating func tend(isAwaited: () -> Bool) -> Bool {
        if current == nil, let order = orders.take() { begin(order) }
        guard let (order, copy) = current else { return false }
        if order.isCancelled {
            end(CopyOrder.broken)
            return false
        }
        defer { lastEnd = .now }
        do throws(SQLiteError) {
            if try work(copy, isAwaited) { end(nil) }
        } catch {
            end(error)
        }
        return current != nil
    }

    private func work(_ copy: PageCopy, _ isAwaited: () -> Bool) throws(SQLiteError) -> Bool {
        let began = ContinuousClock.now
        let share = (began - lastEnd) / Self.share
        let pages = Self.pages << min(max(copy.restarts - Self.restartsMax, 0), 7)
        while true {
            if try copy.step(pages: pages) { return true }
            let spent = ContinuousClock.now - began
            if spent >= (isAwaited() ? share : Self.idleSlice) { return false }
        }
    }

    private mutating func begin(_ order: CopyOrder) {
        do throws(SQLiteError) {
            current = (order, try PageCopy(of: connection, to: order.path))
            lastEnd = .now
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
