import HTTPServer
import Model
import Synchronization

/// The handlers of all loops: the way of a commit to each of them.
final class Handlers: Sendable {
    private let all = Mutex<[APIHandler]>([])

    func add(_ handler: APIHandler) { all.withLock { $0.append(handler) } }

    /// Lets them all go: they hold the store, which holds whoever hears of its commits.
    func forget() { all.withLock { $0 = [] } }

    /// Puts a commit into every loop's inbox. On the writer thread, before anybody is answered: a request that comes after
    /// an answer finds the commit in its loop's inbox, whichever loop that is.
    func hear(_ commit: Commit) {
        all.withLock { handlers in
            for handler in handlers { handler.loop.execute { handler.hear(commit) } }
        }
    }
}

/// Numbers for subscriptions, each given once in the process.
final class Owners: Sendable {
    private let last = Atomic<UInt64>(0)
    func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
