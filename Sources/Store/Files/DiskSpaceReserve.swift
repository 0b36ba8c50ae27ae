import CLinux
import Glibc

/// A file that reserves disk space, which is released when the disk is full, because a full disk refuses even a
/// deletion.
struct DiskSpaceReserve {
    private let path: String
    private let directory: String
    private let bytes: Int64

    init(_ directory: DataDirectory, bytes: Int64) {
        self.directory = directory.path
        path = directory.ballast
        self.bytes = bytes
    }

    /// Reserves the space. Returns `false` if there is not enough, and throws for any other failure.
    func take() throws(StoreError) -> Bool {
        guard bytes > 0 else { return true }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if Self.isFull(errno) { return false }
            throw .system(path)
        }
        // Closing loses nothing, because nothing was written.
        defer { close(descriptor) }
        clinux_give_to_folder(path)
        let code = posix_fallocate(descriptor, 0, off_t(bytes))
        guard code != 0 else { return true }
        // A remaining part is reused the next time.
        unlink(path)
        guard Self.isFull(code) else { throw .system(path, code) }
        return false
    }

    /// Returns a Boolean value indicating whether the disk or its quota is full.
    private static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

    /// Releases the space.
    // If the file cannot be removed, there is nothing else to release.
    func release() { unlink(path) }

    /// A Boolean value indicating whether the disk has space for twice the ballast.
    var fitsComfortably: Bool {
        guard let free = FreeDiskSpace.free(at: directory) else { return false }
        return free >= 2 * bytes
    }
}
