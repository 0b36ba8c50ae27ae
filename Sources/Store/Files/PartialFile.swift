import CLinux
import Glibc

/// A private file with a temporary name, until it is complete and on disk. Without a final name it is removed together
/// with this object.
package class PartialFile {
    /// The temporary name.
    let path: String
    let descriptor: Int32
    private var isWhole = false

    /// Creates an empty file without following links. Removes a file that a killed process left under the name.
    init(creating path: String) throws(StoreError) {
        self.path = path
        var made = clinux_create_private(path)
        if made < 0, errno == EEXIST, Self.isLeft(path) {
            // If the file remains, the next call reports it.
            unlink(path)
            made = clinux_create_private(path)
        }
        guard made >= 0 else { throw .system(path) }
        descriptor = made
    }

    /// Creates the file `NAME.part`.
    package convenience init(for name: String) throws(StoreError) {
        try self.init(creating: name + Backup.partSuffix)
        // Locked while it is written, so that no other process takes it for an abandoned file.
        // On a file system without locks, two processes that write the same file at once are not kept apart.
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        // An incomplete file is reused by the next attempt; a complete one was synced.
        if !isWhole { unlink(path) }
        close(descriptor)
    }

    /// Writes bytes after those that were written or read before.
    package func write(_ bytes: RawSpan) throws(StoreError) {
        guard bytes.withUnsafeBytes({ CompleteFileWrite.of($0, to: descriptor) }) else { throw .system(path) }
    }

    /// Reads the file from its beginning to its end, and passes its bytes to `take`, in pieces.
    func read(_ take: (UnsafeRawBufferPointer) throws(StoreError) -> Void) throws(StoreError) {
        lseek(descriptor, 0, SEEK_SET)
        try Self.read(descriptor, of: path, take)
    }

    /// Reads an open file, whose path is for errors, and passes its bytes to `take`, in pieces.
    static func read(
        _ descriptor: Int32, of path: String, _ take: (UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(path) }
            if count == 0 { return }
            try take(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
        }
    }

    /// Syncs the file and gives it its final name durably. An existing file of that name is replaced if `replacing` is
    /// true; otherwise this throws.
    package func finish(as name: String, replacing: Bool) throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw .system(path) }
        if !replacing, link(path, name) == 0 {
            // The file is complete under its final name. The other name is removed with the temporary files of killed
            // processes.
            unlink(path)
        } else {
            // Some file systems do not support hard links.
            let mayRename = replacing || (errno == EPERM || errno == ENOTSUP) && access(name, F_OK) != 0
            guard mayRename, rename(path, name) == 0 else { throw .system(name) }
        }
        isWhole = true
        try DataDirectory.sync(folderOf: name)
    }

    /// Returns a Boolean value indicating whether the file is an unfinished file that no process writes. Any other file
    /// of that name is not removed.
    private static func isLeft(_ path: String) -> Bool {
        let descriptor = clinux_open_plain(path)
        guard descriptor >= 0 else { return errno == EEXIST }
        defer {
            // The descriptor was only read from, so closing it loses nothing.
            close(descriptor)
            // The caller sees the error of the failed creation.
            errno = EEXIST
        }
        var found = stat()
        return fstat(descriptor, &found) == 0 && found.st_mode & (S_IFMT | 0o777) == S_IFREG | 0o600
            && found.st_uid == geteuid() && flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
