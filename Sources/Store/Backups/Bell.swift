import CLinux
import Glibc

/// What a thread waits at until it is rung for, or for some time.
final class Bell: @unchecked Sendable {
    // SAFETY: the mutex guards `isRung`; both pointers live as long as the bell.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isRung = false

    init() {
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

    func ring() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        isRung = true
        pthread_cond_signal(condition)
    }

    /// Returns at once where it was rung since the last time.
    func wait(seconds: Int) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += max(seconds, 0)
        while !isRung, pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT {}
        isRung = false
    }
}
