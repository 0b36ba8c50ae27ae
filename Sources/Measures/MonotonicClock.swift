internal import Glibc

/// The monotonic clock, used to measure durations and for deadlines.
package enum MonotonicClock {
    /// Returns monotonic seconds.
    package static func seconds() -> Int { microseconds() / 1_000_000 }

    /// Returns monotonic milliseconds.
    package static func now() -> Int64 { nanoseconds() / 1_000_000 }

    /// Returns monotonic microseconds.
    package static func microseconds() -> Int { Int(nanoseconds() / 1000) }

    /// Returns monotonic nanoseconds.
    @inline(__always)
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
