import Dispatch

/// The serial executor of outbound jobs. It is separate from the event loops, and from the shared thread pool, which
/// may have no free thread on a busy machine.
final class OutboundExecutor: TaskExecutor {
    static let shared = OutboundExecutor()

    private let queue = DispatchQueue(label: "lectern.outbound")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
