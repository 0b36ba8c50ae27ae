internal import Glibc

/// The system clocks. A loop reads them once per round, and between requests that wait for each other.
package enum MonotonicClock {
    /// Returns monotonic milliseconds.
    package static func now() -> Int64 { nanoseconds() / 1_000_000 }

    /// Returns monotonic nanoseconds.
    @inline(__always)
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Returns the seconds since 1970, for the Date field only.
    static func wallSeconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
