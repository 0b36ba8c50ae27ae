import Glibc

/// Commands on their way from the event loops to the writer: bounded, in order.
final class CommandQueue: @unchecked Sendable {
    // SAFETY: the mutex guards `waiting` and `isClosed`; both pointers live as long as the queue.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Submission] = []
    private var isClosed = false
    private let countMax: Int

    init(countMax: Int) {
        self.countMax = countMax
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// False when the queue is full or closed.
    func add(_ submission: Submission) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isClosed, waiting.count < countMax else { return false }
        waiting.append(submission)
        if waiting.count == 1 { pthread_cond_signal(condition) }
        return true
    }

    /// What waits, up to a number; empty when nothing came within so many seconds; nil when the queue is closed and empty.
    func take(max: Int, patience seconds: Int) -> [Submission]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if waiting.isEmpty, !isClosed, seconds > 0 {
            var deadline = timespec()
            clock_gettime(CLOCK_MONOTONIC, &deadline)
            deadline.tv_sec += seconds
            pthread_cond_timedwait(condition, mutex, &deadline)
        }
        if waiting.isEmpty { return isClosed ? nil : [] }
        if waiting.count <= max {
            let taken = waiting
            waiting = []
            return taken
        }
        let taken = Array(waiting[..<max])
        waiting.removeFirst(max)
        return taken
    }

    /// Takes no more; what waits is still handed out.
    func closeForGood() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        isClosed = true
        pthread_cond_signal(condition)
    }

    var count: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return waiting.count
    }
}
