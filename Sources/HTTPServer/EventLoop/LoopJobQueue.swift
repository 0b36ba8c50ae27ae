internal import CLinux
internal import Glibc
internal import Synchronization

/// A first-in, first-out queue of jobs for a loop, from any thread. Only a loop that waits is woken, by its eventfd, once.
final class LoopJobQueue: Sendable {
    typealias Job = @Sendable () -> Void

    let wakeDescriptor: Int32
    /// The waiting jobs, or `nil` after the loop's end.
    private let waiting = Mutex<[Job]?>([])
    private let isFilled = Atomic<Bool>(false)
    /// A Boolean value indicating whether the loop waits, or is about to.
    private let isWaiting = Atomic<Bool>(false)

    init() {
        wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        precondition(wakeDescriptor >= 0, "eventfd failed")
    }

    // No thread uses the descriptor any more.
    deinit { Glibc.close(wakeDescriptor) }

    func add(_ job: @escaping Job) {
        waiting.withLock { jobs in
            jobs?.append(job)
            isFilled.store(jobs != nil, ordering: .sequentiallyConsistent)
        }
        // It fails only if the event counter overflows.
        if isWaiting.exchange(false, ordering: .sequentiallyConsistent) { eventfd_write(wakeDescriptor, 1) }
    }

    /// Announces that the loop is about to wait. Returns `false` if a job is there, so that it must not. From now on
    /// the next job wakes it.
    func mayWait() -> Bool {
        // Both threads write their own flag before they read the other's, so at least one of them sees the other's.
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        return !isFilled.load(ordering: .sequentiallyConsistent)
    }

    /// Announces that the loop works, and will look for jobs before it waits again.
    func endWait() { isWaiting.store(false, ordering: .relaxed) }

    /// A Boolean value indicating whether no job waits; one atomic load.
    @inline(__always)
    var isEmpty: Bool { !isFilled.load(ordering: .acquiring) }

    /// Runs all waiting jobs. Jobs that they add wait for the next call.
    @inline(never)
    func drain() {
        let jobs = waiting.withLock { jobs in
            isFilled.store(false, ordering: .releasing)
            defer { if jobs != nil { jobs = [] } }
            return jobs ?? []
        }
        for job in jobs { job() }
    }

    /// Drops waiting and future jobs. A job may hold the handler, which holds the loop.
    func close() {
        // The jobs are released outside the lock: an object that a job holds may add another job in its deinitializer.
        _ = waiting.withLock { jobs in
            defer { jobs = nil }
            return jobs
        }
    }

    func resetWake() {
        var count = eventfd_t()
        // It fails if the event counter is zero.
        eventfd_read(wakeDescriptor, &count)
    }
}

/// An accepted connection that is not assigned to a loop yet.
struct AcceptedConnection: Sendable {
    let descriptor: Int32
    let transport: ConnectionTransport

    var isUnix: Bool { transport.isUnix }
}
