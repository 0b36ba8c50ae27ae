import Glibc

/// Room that is set aside on the disk: a full disk refuses even a deletion, so some room is kept to be given back.
struct Ballast {
    private let path: String
    private let directory: String
    private let bytes: Int64

    init(directory: String, bytes: Int64) {
        self.directory = directory
        path = directory + "/ballast"
        self.bytes = bytes
    }

    /// Takes the room; false when there is not enough.
    func take() -> Bool {
        guard bytes > 0 else { return true }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard posix_fallocate(descriptor, 0, off_t(bytes)) == 0 else {
            unlink(path)
            return false
        }
        return true
    }

    /// Gives the room back.
    func give() { unlink(path) }

    /// Whether there is room for the ballast and as much again.
    var fitsComfortably: Bool {
        var state = statvfs()
        guard statvfs(directory, &state) == 0 else { return false }
        return Int64(state.f_bavail) * Int64(state.f_frsize) >= 2 * bytes
    }
}
