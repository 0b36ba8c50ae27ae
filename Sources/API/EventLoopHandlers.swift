import HTTPServer
import Model
import Synchronization

/// The handlers of all loops, which all receive each commit.
final class EventLoopHandlers: Sendable {
    private let all = Mutex<[APIHandler]>([])

    func add(_ handler: APIHandler) { all.withLock { $0.append(handler) } }

    /// Releases all handlers. They hold the store, which holds the receivers of its commits.
    func forget() { all.withLock { $0 = [] } }

    /// Puts a commit into every loop's inbox. Runs on the writer thread before any response is written. So a request
    /// that follows a response finds the commit in its loop's inbox, on any loop.
    func receive(_ commit: Commit) { onEachLoop { $0.receive(commit) } }

    /// Sets the rate limits, which each loop applies soon. Callable from any thread.
    func set(_ rates: RateLimits) { onEachLoop { $0.pipeline.rates = rates } }

    private func onEachLoop(_ run: @escaping @Sendable (APIHandler) -> Void) {
        all.withLock { handlers in
            for handler in handlers { handler.loop.execute { run(handler) } }
        }
    }
}
