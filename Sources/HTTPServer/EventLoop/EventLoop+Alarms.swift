import Measures

/// Delayed jobs.
extension EventLoop {
    /// Runs a job on the loop's thread, once, after a delay. Call it on the loop's thread. A loop that ends earlier
    /// drops the job.
    package func execute(after milliseconds: Int, _ job: @escaping () -> Void) {
        assertConfined()
        let due = state.pointee.now + Int64(milliseconds)
        // The array is sorted latest first. Of several jobs due together, the first one added runs first.
        let place = state.pointee.alarms.firstIndex { $0.due <= due } ?? state.pointee.alarms.endIndex
        state.pointee.alarms.insert((due, job), at: place)
    }

    /// The milliseconds until the next alarm, or `.max` if there is none.
    var millisecondsToAlarm: Int64 {
        state.pointee.alarms.last.map { max(0, $0.due - MonotonicClock.now()) } ?? .max
    }

    /// Runs the jobs that are due.
    func runDueAlarms() {
        while let alarm = state.pointee.alarms.last, alarm.due <= state.pointee.now {
            state.pointee.alarms.removeLast()
            alarm.job()
        }
    }
}
