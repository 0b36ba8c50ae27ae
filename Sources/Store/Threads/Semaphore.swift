import CLinux
import Glibc

/// A semaphore on which one thread waits until another signals it.
package final class Semaphore: @unchecked Sendable {
    // SAFETY: a semaphore is thread-safe; the pointer lives as long as the semaphore.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Creates a semaphore with the value 0.
    // It fails only for a value above the maximum.
    package init() { sem_init(semaphore, 0, 0) }

    deinit {
        // No thread waits any more: a waiting thread would retain the object.
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Wakes one waiting thread, or lets the next one that waits continue.
    // It fails only after two billion signals.
    package func signal() { sem_post(semaphore) }

    /// Waits until the semaphore is signalled.
    package func wait() { while sem_wait(semaphore) != 0, errno == EINTR {} }

    /// Waits until the semaphore is signalled, or until the timeout. It may return early.
    // There is no result: callers check for what they waited.
    func wait(milliseconds: Int) { clinux_wait(semaphore, Int64(max(milliseconds, 0))) }
}
