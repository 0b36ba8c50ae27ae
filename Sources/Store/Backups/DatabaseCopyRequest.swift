import CSQLite
import Synchronization

/// A request to the writer for a copy of the database.
final class DatabaseCopyRequest: Sendable {
    static let broken = SQLiteError(code: SQLITE_ABORT, message: "it was cancelled because the server stops")

    let target: DatabaseCopyDestination
    private let ended: @Sendable (SQLiteError?) -> Void
    private let done = Semaphore()
    private let outcome = Mutex<SQLiteError?>(nil)
    private let isUnwanted = Atomic(false)

    /// Creates an order. The writer calls `ended` with the error, or with `nil`.
    init(_ target: DatabaseCopyDestination, ended: @escaping @Sendable (SQLiteError?) -> Void = { _ in }) {
        (self.target, self.ended) = (target, ended)
    }

    /// A Boolean value indicating whether the writer can continue. A full stream must be fetched first.
    var isReady: Bool {
        if case .stream(let stream) = target { stream.hasRoom } else { true }
    }

    /// Tells the writer that the copy is no longer wanted.
    func cancel() { isUnwanted.store(true, ordering: .relaxed) }
    var isCancelled: Bool { isUnwanted.load(ordering: .relaxed) }

    /// Ends the order with the result. The writer calls it once.
    func end(_ error: SQLiteError?) {
        outcome.withLock { $0 = error }
        ended(error)
        done.open()
    }

    /// Waits until the copy is complete.
    func wait() throws(SQLiteError) {
        done.wait()
        if let error = outcome.withLock({ $0 }) { throw error }
    }
}

/// The destination of the pages.
enum DatabaseCopyDestination {
    /// An existing, empty file.
    case file(String)
    case stream(PageRecordStream)
}

/// The queue of orders, which the writer reads in each turn.
final class DatabaseCopyQueue: Sendable {
    private let waiting = Mutex<(orders: [DatabaseCopyRequest], isClosed: Bool)>(([], false))
    private let isThere = Atomic(false)

    /// Adds an order. After `close()` the order ends at once.
    func give(_ order: DatabaseCopyRequest) {
        let isClosed = waiting.withLock { state in
            if !state.isClosed { state.orders.append(order) }
            return state.isClosed
        }
        if isClosed { return order.end(DatabaseCopyRequest.broken) }
        isThere.store(true, ordering: .releasing)
    }

    /// Returns the orders that were added since the last call.
    @inline(__always)
    func take() -> [DatabaseCopyRequest] {
        guard isThere.load(ordering: .relaxed) else { return [] }
        isThere.store(false, ordering: .relaxed)
        return waiting.withLock { state in
            defer { state.orders = [] }
            return state.orders
        }
    }

    /// Closes the queue when the writer ends, and ends the remaining orders.
    func close() {
        let left = waiting.withLock { state in
            defer { state = ([], true) }
            return state.orders
        }
        for order in left { order.end(DatabaseCopyRequest.broken) }
    }
}
