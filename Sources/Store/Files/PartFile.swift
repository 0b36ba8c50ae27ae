import CLinux
import Glibc

/// A file on its way: called `NAME.part` until it is whole and on disk, and its owner's only.
package final class PartFile {
    private let name: String
    let descriptor: Int32
    private var isWhole = false
    var part: String { Self.part(of: name) }

    /// Begins one that will have that name.
    package init(_ name: String) throws(StoreError) {
        self.name = name
        descriptor = try Self.create(Self.part(of: name))
        // As long as it is written, for who would begin the same: see `create`.
        // On a file system without locks two who begin the same at once are not kept apart.
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard WholeWrite.of(bytes, to: descriptor) else { throw .file(path: part, reason: DataDirectory.reason()) }
    }

    /// Gives it its name. What has that already is replaced, or stays, and then this is none.
    package func finish(replacing: Bool) throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw .file(path: part, reason: DataDirectory.reason()) }
        if replacing { try CopyFile(path: part).rename(to: name) } else { try CopyFile(path: part).place(at: name) }
        isWhole = true
    }

    deinit {
        // An incomplete file is reused by the next attempt; a complete one was synced.
        if !isWhole { unlink(part) }
        close(descriptor)
    }

    /// What something is called as long as it is not whole.
    static func part(of name: String) -> String { name + Backup.partSuffix }

    /// Makes a file for its owner alone, and follows no link; its descriptor. What has the name, and was left by who was killed, goes.
    static func create(_ path: String) throws(StoreError) -> Int32 {
        var descriptor = clinux_create_private(path)
        if descriptor < 0, errno == EEXIST, isLeft(path) {
            // If the file remains, the next call reports it.
            unlink(path)
            descriptor = clinux_create_private(path)
        }
        guard descriptor >= 0 else { throw .file(path: path, reason: DataDirectory.reason()) }
        return descriptor
    }

    /// Whether it is such a file, and nobody writes it. What else somebody calls so is not ours to take away.
    private static func isLeft(_ path: String) -> Bool {
        let descriptor = clinux_open_plain(path)
        guard descriptor >= 0 else { return errno == EEXIST }
        defer {
            // The descriptor was only read from, so closing it loses nothing.
            close(descriptor)
            // As if it had not been looked at.
            errno = EEXIST
        }
        var found = stat()
        return fstat(descriptor, &found) == 0 && found.st_mode & (S_IFMT | 0o777) == S_IFREG | 0o600
            && found.st_uid == geteuid() && flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
