import CLinux
import Glibc

/// Room that is set aside on the disk: a full disk refuses even a deletion, so some room is kept to be given back.
struct Ballast {
    private let path: String
    private let directory: String
    private let bytes: Int64

    init(_ directory: DataDirectory, bytes: Int64) {
        self.directory = directory.path
        path = directory.ballast
        self.bytes = bytes
    }

    /// Takes the room; false when there is not enough. Throws when the file cannot be for another reason.
    func take() throws(StoreError) -> Bool {
        guard bytes > 0 else { return true }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if Self.isFull(errno) { return false }
            throw .file(path: path, reason: DataDirectory.reason())
        }
        // Nothing was written.
        defer { close(descriptor) }
        clinux_give_to_folder(path)
        let code = posix_fallocate(descriptor, 0, off_t(bytes))
        guard code != 0 else { return true }
        // A remaining part is reused the next time.
        unlink(path)
        guard Self.isFull(code) else { throw .file(path: path, reason: String(cString: strerror(code))) }
        return false
    }

    /// The disk, or the quota on it, is full.
    private static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

    /// Gives the room back.
    // There is nothing else to give where it cannot be taken away.
    func give() { unlink(path) }

    /// Whether there is room for the ballast and as much again.
    var fitsComfortably: Bool {
        guard let free = DiskRoom.free(at: directory) else { return false }
        return free >= 2 * bytes
    }
}
