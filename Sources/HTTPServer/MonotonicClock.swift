internal import Glibc

/// The clocks, read once per round of a loop.
enum MonotonicClock {
    /// Milliseconds that only ever grow.
    static func now() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Seconds since 1970, for the Date field only.
    static func wallSeconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
