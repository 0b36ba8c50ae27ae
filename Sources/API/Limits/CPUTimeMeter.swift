import Glibc

/// A meter of a thread's CPU time for work that may be expensive. Reading the CPU time takes longer than a short list.
/// So it is only read for work that took long in wall-clock time, and now and then before.
struct CPUTimeMeter {
    /// The time in nanoseconds within which the CPU time is not read again.
    private static let restNanoseconds: Int64 = 1_000_000

    /// The last reading: its monotonic time, and the thread's CPU time.
    private var known: (at: Int64, worked: Int64) = (.min, 0)
    private var began: Int64?

    var hasBegun: Bool { began != nil }

    /// Begins to measure, at a time in monotonic nanoseconds.
    @inline(__always)
    mutating func begin(at now: Int64) {
        began = now
        if known.at == .min || now &- known.at > Self.restNanoseconds { known = (now, Self.worked()) }
    }

    /// Ends the measurement, and returns the CPU time in nanoseconds. It is exact to a millisecond, and 0 for shorter
    /// work.
    @inline(__always)
    mutating func end(at now: Int64) -> Int64 {
        guard let began else { return 0 }
        self.began = nil
        return now &- began > Self.restNanoseconds ? measure(since: began, at: now) : 0
    }

    private mutating func measure(since began: Int64, at now: Int64) -> Int64 {
        let before = known
        known = (now, Self.worked())
        // The thread may have worked all the time between the last reading and the beginning.
        return max(0, known.worked &- before.worked &- (began &- before.at))
    }

    private static func worked() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
