internal import CLinux
internal import Glibc

/// The one thread that works on passwords, behind all others: so one hash at a time takes its memory, and whoever guesses keeps nobody
/// from reading. What more than `queueMax` ask for is refused.
package final class PasswordThread: @unchecked Sendable {
    /// Given nil where crypt(3) has no yescrypt.
    package typealias Job = @Sendable (PasswordHasher?) -> Void

    /// Jobs that may wait.
    package static let queueMax = 16

    // SAFETY: the mutex guards `waiting`, `isClosed` and `thread`; both pointers live as long as this does.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Job] = []
    private var isClosed = false
    private var thread: pthread_t?
    private let mebibytes: Int

    /// See `PasswordHasher.init(mebibytes:)`.
    package init(mebibytes: Int) {
        self.mebibytes = mebibytes
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Hands over a job, which is done on the thread; any thread. False when too many wait, or it is over. The thread begins with the
    /// first one: a service where nobody has a password has none.
    package func submit(_ job: @escaping Job) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isClosed, waiting.count < Self.queueMax else { return false }
        waiting.append(job)
        if thread == nil { start() }
        pthread_cond_signal(condition)
        return true
    }

    /// Whether one more would be taken.
    package var hasRoom: Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return !isClosed && waiting.count < Self.queueMax
    }

    /// Drops what waits, and returns when the job that is under way is done.
    package func stop() {
        pthread_mutex_lock(mutex)
        (isClosed, waiting) = (true, [])
        let running = thread
        thread = nil
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
        if let running { pthread_join(running, nil) }
    }

    private func start() {
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
        return isClosed ? nil : waiting.removeFirst()
    }
}
