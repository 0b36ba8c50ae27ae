import Glibc

/// The free disk space for users other than root.
enum FreeDiskSpace {
    /// Returns the free bytes on the disk of a file or folder, or `nil` if the system does not say.
    static func free(at path: String) -> Int64? {
        var state = statvfs()
        guard statvfs(path, &state) == 0 else { return nil }
        let (bytes, overflow) = Int64(clamping: state.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: state.f_frsize))
        return overflow ? .max : bytes
    }

    /// Returns a Boolean value indicating whether two paths are, or may be, on the same disk.
    static func isShared(_ path: String, _ other: String) -> Bool {
        guard let one = DataDirectory.status(path), let two = DataDirectory.status(other) else { return true }
        return one.st_dev == two.st_dev
    }
}
