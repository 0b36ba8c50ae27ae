import CLinux
import Glibc

/// Commands on their way from the event loops to the writer: bounded, in order.
final class CommandQueue: @unchecked Sendable {
    // SAFETY: the mutex guards `waiting`, `weight` and `isClosed`; both pointers live as long as the queue.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Submission] = []
    /// As many requests as those count.
    private var weight = 0
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
        guard !isClosed, weight < countMax else { return false }
        waiting.append(submission)
        weight += submission.weight
        if waiting.count == 1 { pthread_cond_signal(condition) }
        return true
    }

    /// What waits, up to a number of requests; empty when nothing came within so many seconds; nil when the queue is closed and empty.
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
        if weight <= max {
            let taken = waiting
            (waiting, weight) = ([], 0)
            return taken
        }
        let taken = Array(waiting[..<count(max)])
        waiting.removeFirst(taken.count)
        for submission in taken { weight -= submission.weight }
        return taken
    }

    /// How many of those that wait longest count as so many requests at most; one at least.
    private func count(_ max: Int) -> Int {
        var left = max
        let end = waiting.firstIndex { submission in
            left -= submission.weight
            return left < 0
        }
        return Swift.max(1, end ?? waiting.count)
    }

    /// Lets who waits for commands look at what else there is to do.
    func wake() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        pthread_cond_signal(condition)
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
        return weight
    }
}
