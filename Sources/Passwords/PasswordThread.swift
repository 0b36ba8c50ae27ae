internal import CLinux
internal import Glibc

/// The one thread that works on passwords, behind all others: so one hash at a time takes its memory, and whoever guesses keeps nobody
/// from reading. What more than `queueMax` ask for is refused, and what more than its places a party does.
package final class PasswordThread: @unchecked Sendable {
    /// Given nil where crypt(3) has no yescrypt.
    package typealias Job = @Sendable (PasswordHasher?) -> Void

    /// Jobs that may wait.
    package static let queueMax = 16
    /// Places of them that no stranger takes: they are for who is signed in, or has a link that opens.
    package static let keptMax = 4

    /// Why no more is taken: so many wait, in all, or of one party.
    package struct Full: Error, Equatable {
        package let max: Int
        package let party: Party?
    }

    // SAFETY: the mutex guards `waiting`, `isClosed` and `thread`; both pointers live as long as this does.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [(job: Job, parties: [Party])] = []
    private var isClosed = false
    private var thread: pthread_t?
    private let mebibytes: Int

    /// See `PasswordHasher.init(mebibytes:)`.
    package init(mebibytes: Int) {
        self.mebibytes = mebibytes
        // Neither fails on Linux.
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

    /// Hands over a job, which is done on the thread; any thread. Throws when too many wait, or it is over. The thread begins with the
    /// first one: a service where nobody has a password has none.
    package func submit(for parties: [Party] = [], _ job: @escaping Job) throws(Full) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let full = full(for: parties) { throw full }
        if thread == nil, !start() { throw Full(max: Self.queueMax, party: nil) }
        waiting.append((job, parties))
        pthread_cond_signal(condition)
    }

    /// Throws unless one more would be taken.
    package func demandRoom(for parties: [Party]) throws(Full) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let full = full(for: parties) { throw full }
    }

    private func full(for parties: [Party]) -> Full? {
        let isStranger = !parties.isEmpty && !parties.contains { $0.isKnown }
        let max = isStranger ? Self.queueMax - Self.keptMax : Self.queueMax
        if isClosed || waiting.count >= max { return Full(max: max, party: nil) }
        let party = parties.first { party in waiting.count { $0.parties.contains(party) } >= party.waitingMax }
        return party.map { Full(max: $0.waitingMax, party: $0) }
    }

    /// Drops what waits, and returns when the job that is under way is done.
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

    /// False where the system has no thread to give.
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

    /// The job that waits longest; nil when it is over.
    private func next() -> Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waiting.isEmpty, !isClosed { pthread_cond_wait(condition, mutex) }
        return isClosed ? nil : waiting.removeFirst().job
    }
}
