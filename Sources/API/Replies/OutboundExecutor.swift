import Dispatch

/// The serial executor of jobs. It is no event loop, and not the shared thread pool of all tasks, which may have no
/// free thread on a busy machine.
final class OutboundExecutor: TaskExecutor {
    static let shared = OutboundExecutor()

    private let queue = DispatchQueue(label: "lectern.errands")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
