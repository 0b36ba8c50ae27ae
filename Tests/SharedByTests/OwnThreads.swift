import Foundation
import Synchronization
package import Testing

/// Tests that wait, and therefore run on separate threads. The usual threads are as many as the machine has cores: a
/// test that waits on one of them blocks all others.
///
/// Only a few such tests run at once. Waiting tests then cost no time, and working tests do not wait long for a core.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    /// A suite has a scope, too: the steps between its tests then do not wait for the usual threads either. Those have a
    /// queue of all other tests, which a serialized suite would join at its end after each test.
    package func scopeProvider(for test: Test, testCase: Test.Case?) -> OwnThreads? {
        test.isSuite || testCase != nil ? self : nil
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Threads()) {
            guard testCase != nil else { return try await function() }
            await Self.places.take()
            defer { Self.places.giveBack() }
            try await function()
        }
    }

    private static let places = Places(max(8, 4 * ProcessInfo.processInfo.activeProcessorCount))

    private final class Places: Sendable {
        private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

        init(_ count: Int) { state = Mutex((count, [])) }

        func take() async {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    state.free -= 1
                    if state.free < 0 { state.waiting.append(continuation) }
                    return state.free >= 0
                }
                if isFree { continuation.resume() }
            }
        }

        func giveBack() {
            let next = state.withLock { state in
                state.free += 1
                return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
            next?.resume()
        }
    }

    private final class Threads: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
        }
    }
}

extension Trait where Self == OwnThreads {
    package static var ownThreads: OwnThreads { OwnThreads() }
}
