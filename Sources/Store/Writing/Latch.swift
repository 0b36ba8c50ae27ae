import Glibc

/// A gate that one thread opens, once, and another waits at.
package final class Latch: @unchecked Sendable {
    // SAFETY: a semaphore is made for several threads; the pointer lives as long as the latch.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// A closed gate.
    // It fails only for a value above the maximum.
    package init() { sem_init(semaphore, 0, 0) }

    deinit {
        // No thread waits any more: a waiting thread would retain the object.
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets one who waits go on.
    // It fails only after two billion signals.
    package func open() { sem_post(semaphore) }

    /// Waits until the gate is open.
    package func wait() { while sem_wait(semaphore) != 0, errno == EINTR {} }
}
