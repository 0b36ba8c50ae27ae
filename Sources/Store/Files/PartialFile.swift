import CLinux
import Glibc

/// A private file that is called `NAME.part` until it is complete and on disk.
package final class PartialFile {
    private let name: String
    let descriptor: Int32
    private var isWhole = false
    var part: String { Self.part(of: name) }

    /// Creates the unfinished file for that name.
    package init(_ name: String) throws(StoreError) {
        self.name = name
        descriptor = try Self.create(Self.part(of: name))
        // Locked while it is written, so that `create` does not take it for an abandoned file.
        // On a file system without locks, two processes that write the same file at once are not kept apart.
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard CompleteFileWrite.of(bytes, to: descriptor) else {
            throw .file(path: part, reason: DataDirectory.reason())
        }
    }

    /// Syncs the file and gives it its final name. An existing file of that name is replaced if `replacing` is true;
    /// otherwise this throws.
    package func finish(replacing: Bool) throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw .file(path: part, reason: DataDirectory.reason()) }
        if replacing {
            try DatabaseCopyFile(path: part).rename(to: name)
        } else {
            try DatabaseCopyFile(path: part).place(at: name)
        }
        isWhole = true
    }

    deinit {
        // An incomplete file is reused by the next attempt; a complete one was synced.
        if !isWhole { unlink(part) }
        close(descriptor)
    }

    /// Returns the name of an unfinished file.
    static func part(of name: String) -> String { name + Backup.partSuffix }

    /// Creates a private file without following links, and returns its descriptor. Removes a file that a killed process
    /// left under the name.
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
