import Glibc

/// The disk usage of a data directory, and the free space.
struct DiskUsage {
    private let directory: DataDirectory

    init(_ directory: DataDirectory) { self.directory = directory }

    /// Updates the counters. A size that cannot be read keeps its last value.
    func record(in counters: StoreCounters) {
        if let bytes = Self.bytes(directory.database) { counters.set(.databaseBytes, bytes) }
        counters.set(.walBytes, Self.bytes(directory.log) ?? 0)
        if let free = FreeDiskSpace.free(at: directory.path) { counters.set(.diskBytesFree, Int(clamping: free)) }
    }

    private static func bytes(_ path: String) -> Int? {
        var state = stat()
        return stat(path, &state) == 0 ? Int(state.st_size) : nil
    }
}
