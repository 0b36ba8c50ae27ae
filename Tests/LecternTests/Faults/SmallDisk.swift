import Foundation
import Glibc

/// A file system of 24 megabytes in memory, if mounting is allowed; it is unmounted with the instance.
final class SmallDisk {
    let path: String
    private var filler: String { path + "/filler" }

    /// Mounts the file system, or returns `nil` if that is not allowed.
    init?() {
        path = NSTemporaryDirectory() + "lectern-disk-\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else { return nil }
        guard mount("lectern", path, "tmpfs", 0, "size=24m,mode=0700") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Fills the file system, except for a number of bytes.
    func fill(leaving bytes: Int = 0) {
        let file = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 1, count: 4096)
        while write(file, block, block.count) == block.count {}
        if bytes > 0 { ftruncate(file, lseek(file, 0, SEEK_END) - off_t(bytes)) }
    }

    /// Frees the space again.
    func empty() { unlink(filler) }

    /// The number of free bytes.
    var scenario: Int {
        var state = statvfs()
        return statvfs(path, &state) == 0 ? Int(state.f_bavail) * Int(state.f_frsize) : -1
    }

    static let isPossible = SmallDisk() != nil
}
