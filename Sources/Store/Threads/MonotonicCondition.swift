import CLinux
import Glibc

/// A lock with a condition variable that uses the monotonic clock, so changes of the system time do not affect
/// timeouts.
final class MonotonicCondition: @unchecked Sendable {
    // SAFETY: both are thread-safe; the pointers live as long as this object.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    // None of these calls fails on Linux except by misuse: they allocate no memory and no descriptor.

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

    @inline(__always)
    func lock() { pthread_mutex_lock(mutex) }

    @inline(__always)
    func unlock() { pthread_mutex_unlock(mutex) }

    /// Wakes one waiting thread.
    @inline(__always)
    func signal() { pthread_cond_signal(condition) }

    /// Releases the lock and waits until a signal or the timeout, then locks again. It may return early.
    func wait(milliseconds: Int) {
        let end = MonotonicTime.microseconds + max(milliseconds, 0) * 1000
        var deadline = timespec(tv_sec: end / 1_000_000, tv_nsec: end % 1_000_000 * 1000)
        pthread_cond_timedwait(condition, mutex, &deadline)
    }
}
