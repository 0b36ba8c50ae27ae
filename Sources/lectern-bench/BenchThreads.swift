import Foundation
import Synchronization

/// Threads that run one function, each with its number, and return a value each.
final class BenchThreads<Value: Sendable>: Sendable {
    private let count: Int
    private let values = Mutex<[Value]>([])
    private let isOver = Atomic(false)
    private let done = DispatchSemaphore(value: 0)

    /// Starts the threads. The function is given the thread's number and this object, to learn whether it is stopped.
    init(_ count: Int, run: @escaping @Sendable (Int, BenchThreads) -> Value) {
        self.count = count
        for number in 0..<count {
            let thread = Thread { [self] in
                let value = run(number, self)
                values.withLock { $0.append(value) }
                done.signal()
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
    }

    var isStopped: Bool { isOver.load(ordering: .relaxed) }

    /// Waits until all threads have ended, and returns their values in any order.
    func wait() -> [Value] {
        for _ in 0..<count { done.wait() }
        return values.withLock { $0 }
    }

    /// Makes `isStopped` true, and waits.
    func stop() -> [Value] {
        isOver.store(true, ordering: .relaxed)
        return wait()
    }
}
