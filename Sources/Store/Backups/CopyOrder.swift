import CSQLite
import Synchronization

/// A wish for a copy of the database, on its way to the writer and back.
final class CopyOrder: Sendable {
    static let broken = SQLiteError(code: SQLITE_ABORT, message: "it was broken off, for the service stops")

    /// The destination of the pages.
    enum Target {
        /// A file, which is there and empty.
        case file(String)
        case stream(PageStream)
    }

    let target: Target
    private let ended: @Sendable (SQLiteError?) -> Void
    private let done = Latch()
    private let outcome = Mutex<SQLiteError?>(nil)
    private let isUnwanted = Atomic(false)

    /// `ended` is called by the writer with what became of it.
    init(_ target: Target, ended: @escaping @Sendable (SQLiteError?) -> Void = { _ in }) {
        (self.target, self.ended) = (target, ended)
    }

    /// Whether the writer can go on with it: a stream may have to be fetched first.
    var isReady: Bool {
        if case .stream(let stream) = target { stream.hasRoom } else { true }
    }

    /// Whoever gave the order no longer waits for it.
    func cancel() { isUnwanted.store(true, ordering: .relaxed) }
    var isCancelled: Bool { isUnwanted.load(ordering: .relaxed) }

    /// What became of it. Once, by the writer.
    func end(_ error: SQLiteError?) {
        outcome.withLock { $0 = error }
        ended(error)
        done.open()
    }

    /// Waits until the copy is whole.
    func wait() throws(SQLiteError) {
        done.wait()
        if let error = outcome.withLock({ $0 }) { throw error }
    }
}

/// The queue of orders, which the writer reads in each turn.
final class CopyOrders: Sendable {
    private let waiting = Mutex<(orders: [CopyOrder], isClosed: Bool)>(([], false))
    private let isThere = Atomic(false)

    /// One that nobody will take ends at once.
    func give(_ order: CopyOrder) {
        let isClosed = waiting.withLock { state in
            if !state.isClosed { state.orders.append(order) }
            return state.isClosed
        }
        if isClosed { return order.end(CopyOrder.broken) }
        isThere.store(true, ordering: .releasing)
    }

    /// The orders that came since the last call.
    @inline(__always)
    func take() -> [CopyOrder] {
        guard isThere.load(ordering: .relaxed) else { return [] }
        isThere.store(false, ordering: .relaxed)
        return waiting.withLock { state in
            defer { state.orders = [] }
            return state.orders
        }
    }

    /// The writer ends, and takes none any more.
    func close() {
        let left = waiting.withLock { state in
            defer { state = ([], true) }
            return state.orders
        }
        for order in left { order.end(CopyOrder.broken) }
    }
}
