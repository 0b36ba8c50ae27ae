import Glibc

/// What a disk has left for who is no administrator of the machine.
enum DiskRoom {
    /// Bytes on the disk of a file or folder; nil where the system does not say.
    static func free(at path: String) -> Int64? {
        var state = statvfs()
        guard statvfs(path, &state) == 0 else { return nil }
        let (bytes, overflow) = Int64(clamping: state.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: state.f_frsize))
        return overflow ? .max : bytes
    }

    /// Whether two are on the same disk; where the system does not say, they may be.
    static func isShared(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        guard stat(path, &one) == 0, stat(other, &two) == 0 else { return true }
        return one.st_dev == two.st_dev
    }
}
