import Glibc

/// The resource usage of this process, as the system reports it.
struct ProcessResourceUsage {
    let residentBytes: Int
    let processorMicroseconds: Int
    /// The number of open descriptors, or `nil` if the kernel cannot report it without counting them.
    let openDescriptors: Int?
    let descriptorsMax: Int

    static var now: ProcessResourceUsage { ProcessResourceUsage() }

    private init() {
        let pages = Self.numbers(in: "/proc/self/statm")
        residentBytes = (pages.dropFirst().first ?? 0) * sysconf(Int32(_SC_PAGESIZE))
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

    private static func numbers(in path: String) -> [Int] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        // The descriptor was only read from, so closing it loses nothing.
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = max(0, read(descriptor, &bytes, bytes.count))
        return String(decoding: bytes.prefix(count), as: UTF8.self).split { $0 == " " || $0 == "\n" }.compactMap {
            Int($0)
        }
    }
}
