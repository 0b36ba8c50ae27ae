// timespec belongs to the module of these two that the compiler reads first.
import CLinux
import Glibc

/// The monotonic clock, used to measure durations.
enum MonotonicTime {
    static var seconds: Int { microseconds / 1_000_000 }

    static var microseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}
