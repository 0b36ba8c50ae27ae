import Glibc

/// Returns how many nanoseconds this thread has worked: a measure of the program, however much else the machine does.
package func threadNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
