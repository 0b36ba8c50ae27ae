import Glibc

/// Returns this thread's processor time in nanoseconds, a measure of the program that does not depend on the machine's
/// load.
package func threadNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
