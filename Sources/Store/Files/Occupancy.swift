import Glibc

/// What a data directory takes of its disk, and what is left.
struct Occupancy {
    private let directory: DataDirectory

    init(_ directory: DataDirectory) { self.directory = directory }

    /// Looks, and says so to the counters. What cannot be looked at keeps its last number.
    func note(in counters: StoreCounters) {
        if let bytes = Self.bytes(directory.database) { counters.set(.databaseBytes, bytes) }
        counters.set(.walBytes, Self.bytes(directory.log) ?? 0)
        if let free = DiskRoom.free(at: directory.path) { counters.set(.diskBytesFree, Int(clamping: free)) }
    }

    private static func bytes(_ path: String) -> Int? {
        var state = stat()
        return stat(path, &state) == 0 ? Int(state.st_size) : nil
    }
}
