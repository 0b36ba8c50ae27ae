internal import CLinux
internal import Glibc

/// The thread that hashes passwords, with the lowest priority. One hash at a time takes its memory, and guesses do not
/// delay readers. Jobs beyond `queueMax`, or beyond a party's places, are refused.
package final class PasswordThread: @unchecked Sendable {
    /// A job, which gets `nil` if crypt(3) does not support yescrypt.
    package typealias Job = @Sendable (PasswordHasher?) -> Void

    /// The maximum number of waiting jobs.
    package static let queueMax = 16
    /// The number of places in the queue that anonymous clients cannot take. They are for signed-in readers and for
    /// clients with a valid link.
    package static let reservedCount = 4

    /// The error of a full queue. `max` is the maximum for `party` or, without one, for the whole queue.
    package struct Full: Error, Equatable {
        package let max: Int
        package let party: PasswordClient?
    }

    // SAFETY: the mutex guards `waiting`, `isClosed` and `thread`; both pointers live as long as this does.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [(job: Job, parties: [PasswordClient])] = []
    private var isClosed = false
    private var thread: pthread_t?
    private let mebibytes: Int

    /// Creates the thread's queue. `mebibytes` is that of `PasswordHasher.init(mebibytes:)`.
    package init(mebibytes: Int) {
        self.mebibytes = mebibytes
        // Neither call fails on Linux.
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        // No thread holds the lock any more.
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Adds a job that runs on the thread. Throws if too many wait, or after `stop`. Callable from any thread. The
    /// thread starts with the first job: a service without passwords has none.
    package func submit(for parties: [PasswordClient] = [], _ job: @escaping Job) throws(Full) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let full = full(for: parties) { throw full }
        if thread == nil, !start() { throw Full(max: Self.queueMax, party: nil) }
        waiting.append((job, parties))
        pthread_cond_signal(condition)
    }

    /// Throws unless another job would be accepted.
    package func demandRoom(for parties: [PasswordClient]) throws(Full) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let full = full(for: parties) { throw full }
    }

    private func full(for parties: [PasswordClient]) -> Full? {
        let isStranger = !parties.isEmpty && !parties.contains { $0.isKnown }
        let max = isStranger ? Self.queueMax - Self.reservedCount : Self.queueMax
        if isClosed || waiting.count >= max { return Full(max: max, party: nil) }
        let party = parties.first { party in waiting.count { $0.parties.contains(party) } >= party.waitingMax }
        return party.map { Full(max: $0.waitingMax, party: $0) }
    }

    /// Drops the waiting jobs, and returns when the current job is done.
    package func stop() {
        pthread_mutex_lock(mutex)
        (isClosed, waiting) = (true, [])
        let running = thread
        thread = nil
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
        // It fails only if the thread was already joined.
        if let running { pthread_join(running, nil) }
    }

    /// Starts the thread. Returns `false` if the system refuses one.
    private func start() -> Bool {
        var started = pthread_t()
        // SAFETY: retained for that thread, which takes it exactly once.
        let code = pthread_create(
            &started, nil,
            { context in
                clinux_name_thread("passwords")
                clinux_yield_to_others()
                Unmanaged<PasswordThread>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        if code == 0 { thread = started } else { Unmanaged.passUnretained(self).release() }
        return code == 0
    }

    private func run() {
        var hasher: PasswordHasher?
        while let job = next() {
            if hasher == nil { hasher = PasswordHasher(mebibytes: mebibytes) }
            job(hasher)
        }
    }

    /// Returns the job that has waited longest, or `nil` after `stop`.
    private func next() -> Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waiting.isEmpty, !isClosed { pthread_cond_wait(condition, mutex) }
        return isClosed ? nil : waiting.removeFirst().job
    }
}
