import Dispatch

/// Where what errands do between their waits is done, one after the other: on no event loop, and not among the threads that all tasks
/// of the process share, of which a busy machine may have none to spare.
final class ErrandQueue: TaskExecutor {
    static let shared = ErrandQueue()

    private let queue = DispatchQueue(label: "lectern.errands")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
