import Dispatch
import Synchronization

/// Runs asynchronous work, and blocks the thread of the command until it has ended.
func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    try waiting(for: Task.detached { try await work() })
}

/// Blocks the thread of the command until a task has ended, and returns its value.
func waiting<Value: Sendable>(for task: Task<Value, any Error>) throws -> Value {
    let ended = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<Value, any Error>?>(nil)
    Task.detached {
        let result = await task.result
        outcome.withLock { $0 = result }
        ended.signal()
    }
    ended.wait()
    guard let result = outcome.withLock({ $0 }) else { preconditionFailure("the task signals only with a result") }
    return try result.get()
}
