import Foundation
import Model
import SharedByTests
import Store
import Synchronization

/// A store in a temporary directory that is removed with it.
final class TestStore: Sendable {
    let directory = TestDirectory.memory.path("store")
    let store: Store
    let viewer: Viewer

    init(configure: (inout StoreConfiguration) -> Void = { _ in }) throws {
        var configuration = StoreConfiguration()
        configuration.ballastBytes = 0
        configuration.isDurable = false
        configuration.readMillisecondsMax = 0
        configure(&configuration)
        try DatabaseTemplate.newest.copy(into: directory)
        store = try Store.open(directory: directory, configuration: configuration)
        try store.ensureAdministrator()
        viewer = try store.makeReadConnection().localAdministrator()!
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Runs a command and waits for its outcome.
    @discardableResult
    func run(_ request: ActorCommand, key: IdempotencyKey? = nil) throws -> CommandOutcome {
        let done = Semaphore()
        let result = Mutex<Result<CommandOutcome, RequestError>?>(nil)
        _ = store.submit(
            SubmittedCommand(request, key: key) { outcome in
                result.withLock { $0 = outcome }
                done.signal()
            })
        done.wait()
        return try result.withLock { $0! }.get()
    }
}
