/// A job for a loop, and when it is due.
struct Alarm {
    /// In monotonic milliseconds.
    let due: Int64
    let job: () -> Void
}

/// Jobs for later.
extension EventLoop {
    /// Runs a job on the loop's thread when so many milliseconds have passed, once. Call it on the loop's thread. A loop that
    /// ends before drops it.
    package func execute(after milliseconds: Int, _ job: @escaping () -> Void) {
        assertConfined()
        let due = state.pointee.now + Int64(milliseconds)
        // Behind those that are due later: of several that are due together the first one comes first.
        let place = state.pointee.alarms.partitioningIndex { $0.due <= due }
        state.pointee.alarms.insert(Alarm(due: due, job: job), at: place)
    }

    /// Until the next alarm; a long time when there is none.
    var millisecondsToAlarm: Int64 {
        state.pointee.alarms.last.map { max(0, $0.due - MonotonicClock.now()) } ?? .max
    }

    /// Does what is due.
    func ringAlarms() {
        while let alarm = state.pointee.alarms.last, alarm.due <= state.pointee.now {
            state.pointee.alarms.removeLast()
            alarm.job()
        }
    }
}

extension Array {
    /// The first index whose element belongs to the second part, of an array whose elements of the first part all come first.
    fileprivate func partitioningIndex(_ isInSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
