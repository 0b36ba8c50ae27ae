import Foundation
import Synchronization

extension Thread {
    /// Runs a closure on a new thread; `value` waits for it.
    static func detach<Value: Sendable>(_ body: @escaping @Sendable () -> Value?) -> Detached<Value> {
        let detached = Detached<Value>()
        Thread { detached.finish(body()) }.start()
        return detached
    }
}

final class Detached<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let done = DispatchSemaphore(value: 0)

    func finish(_ value: Value?) {
        result.withLock { $0 = value }
        done.signal()
    }

    /// A Boolean value indicating whether `value` would not wait.
    var isDone: Bool { result.withLock { $0 != nil } }

    func value() -> Value? {
        done.wait()
        return result.withLock { $0 }
    }
}
