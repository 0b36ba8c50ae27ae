import CSQLite
import Synchronization

/// A wish for a copy of the database, on its way to the writer and back.
final class CopyOrder: Sendable {
    static let broken = SQLiteError(code: SQLITE_ABORT, message: "it was broken off, for the service stops")

    let path: String
    private let done = Latch()
    private let outcome = Mutex<SQLiteError?>(nil)
    private let isUnwanted = Atomic(false)

    init(path: String) { self.path = path }

    /// Whoever gave the order no longer waits for it.
    func cancel() { isUnwanted.store(true, ordering: .relaxed) }
    var isCancelled: Bool { isUnwanted.load(ordering: .relaxed) }

    /// What became of it. Once, by the writer.
    func end(_ error: SQLiteError?) {
        outcome.withLock { $0 = error }
        done.open()
    }

    /// Waits until the copy is whole.
    func wait() throws(SQLiteError) {
        done.wait()
        if let error = outcome.withLock({ $0 }) { throw error }
    }
}

/// Where an order waits for the writer, which looks at each turn.
final class CopyOrders: Sendable {
    private let waiting = Mutex<(order: CopyOrder?, isClosed: Bool)>((nil, false))
    private let isThere = Atomic(false)

    /// One that nobody will take ends at once.
    func give(_ order: CopyOrder) {
        let isClosed = waiting.withLock { state in
            if !state.isClosed { state.order = order }
            return state.isClosed
        }
        if isClosed { return order.end(CopyOrder.broken) }
        isThere.store(true, ordering: .releasing)
    }

    /// The order, if there is one.
    @inline(__always)
    func take() -> CopyOrder? {
        guard isThere.load(ordering: .relaxed) else { return nil }
        isThere.store(false, ordering: .relaxed)
        return waiting.withLock { state in
            defer { state.order = nil }
            return state.order
        }
    }

    /// The writer ends, and takes none any more.
    func close() {
        let left = waiting.withLock { state in
            defer { state = (nil, true) }
            return state.order
        }
        left?.end(CopyOrder.broken)
    }
}
