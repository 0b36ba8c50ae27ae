import Glibc

/// How long a thread works on what may be dear, without what others on the machine took meanwhile. Asking the kernel for the work of a
/// thread takes longer than a short list: so it is asked only about what took long by the clock on the wall, and now and then before.
struct WorkMeter {
    /// Nanoseconds within which the thread's work is not asked for again.
    private static let restNanoseconds: Int64 = 1_000_000

    /// Of the last time that was asked: monotonic, and what the thread had worked.
    private var known: (at: Int64, worked: Int64) = (.min, 0)
    private var began: Int64?

    var hasBegun: Bool { began != nil }

    /// Something begins, in monotonic nanoseconds.
    @inline(__always)
    mutating func begin(at now: Int64) {
        began = now
        if known.at == .min || now &- known.at > Self.restNanoseconds { known = (now, Self.worked()) }
    }

    /// It is over. How many nanoseconds it took: exact to a millisecond, and none where it was shorter than that.
    @inline(__always)
    mutating func end(at now: Int64) -> Int64 {
        guard let began else { return 0 }
        self.began = nil
        return now &- began > Self.restNanoseconds ? measure(since: began, at: now) : 0
    }

    private mutating func measure(since began: Int64, at now: Int64) -> Int64 {
        let before = known
        known = (now, Self.worked())
        // Between what was known and the beginning it may have worked all the time.
        return max(0, known.worked &- before.worked &- (began &- before.at))
    }

    private static func worked() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
