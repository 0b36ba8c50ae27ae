internal import Glibc

/// The monotonic clock. A loop reads it once per round, and between requests that wait for each other.
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
}
