import FoundationEssentials
import Glibc

/// The resource usage of this process, as the system reports it.
struct ProcessResourceUsage {
    let residentBytes: Int
    let processorMicroseconds: Int
    /// The number of open descriptors, or `nil` if the kernel cannot report it without counting them.
    let openDescriptors: Int?
    let descriptorsMax: Int

    /// Reads the present usage.
    init() {
        let pages = FileManager.default.contents(atPath: "/proc/self/statm")?.split(separator: UInt8(ascii: " ")) ?? []
        let residentPages = pages.dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        residentBytes = (residentPages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        processorMicroseconds =
            (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
            + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        var folder = stat()
        let isSaid = stat("/proc/self/fd", &folder) == 0 && folder.st_size > 0
        openDescriptors = isSaid ? Int(folder.st_size) : nil
        var limit = rlimit()
        // It fails only for an unknown limit.
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        descriptorsMax = Int(clamping: limit.rlim_cur)
    }
}
