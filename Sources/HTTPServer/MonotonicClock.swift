internal import Glibc

/// The clocks. A loop reads them once per round, and where requests wait behind one another.
enum MonotonicClock {
    /// Milliseconds that only ever grow.
    static func now() -> Int64 { microseconds() / 1000 }

    /// Microseconds that only ever grow: for what is much shorter than a round.
    static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Seconds since 1970, for the Date field only.
    static func wallSeconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
