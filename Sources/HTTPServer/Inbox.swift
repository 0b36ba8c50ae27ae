internal import CLinux
internal import Glibc
internal import Synchronization

/// Jobs for a loop from any thread, first in, first out. Whoever fills an empty inbox rings the bell, an eventfd.
final class Inbox: Sendable {
    typealias Job = @Sendable () -> Void

    let bell: Int32
    /// Nil once the loop has ended.
    private let waiting = Mutex<[Job]?>([])
    private let isFilled = Atomic<Bool>(false)

    init() {
        bell = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        precondition(bell >= 0, "eventfd failed")
    }

    // No thread uses the descriptor any more.
    deinit { Glibc.close(bell) }

    func add(_ job: @escaping Job) {
        let wasEmpty = waiting.withLock { jobs in
            jobs?.append(job)
            isFilled.store(jobs != nil, ordering: .releasing)
            return jobs?.count == 1
        }
        if wasEmpty { ring() }
    }

    /// One atomic load.
    @inline(__always)
    var isEmpty: Bool { !isFilled.load(ordering: .acquiring) }

    /// Runs all jobs that wait now. What they add themselves waits for the next time.
    @inline(never)
    func drain() {
        let jobs = waiting.withLock { jobs in
            isFilled.store(false, ordering: .releasing)
            var taken: [Job]? = jobs == nil ? nil : []
            swap(&taken, &jobs)
            return taken
        }
        for job in jobs ?? [] { job() }
    }

    /// Drops what waits, and what will come: it may hold the handler, which holds the loop.
    func close() {
        // Given up outside the lock, and so ignored here: what a job holds may add another one when it goes.
        _ = waiting.withLock { jobs in
            var dropped: [Job]?
            swap(&dropped, &jobs)
            return dropped
        }
    }

    func ring() {
        var one: UInt64 = 1
        // It fails only if the event counter overflows.
        _ = write(bell, &one, 8)
    }

    func silence() {
        var rung: UInt64 = 0
        // It fails if the event counter is zero.
        _ = read(bell, &rung, 8)
    }
}

/// An accepted connection that no loop has taken over yet.
struct Newcomer: Sendable {
    let descriptor: Int32
    let transport: Transport

    var isUnix: Bool { transport.isUnix }
}
