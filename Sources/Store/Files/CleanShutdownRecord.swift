import CLinux
import Glibc

/// The record of a clean end, `lectern.end`. It contains the state of the database file, so that the next start detects
/// writes by other programs.
///
/// The state is the file's length and modification time, which change only with its content; `chmod`, `chown`, links
/// and renames change neither. (The change counter in the file's header would not do: in WAL mode most commits leave
/// it.) Each clean end creates a new record, which also contains its own inode and birth time. If an older copy
/// overwrites a data directory, even with its times, its record is in a file with another inode.
struct CleanShutdownRecord {
    /// Returns whether the database file is as the last clean end left it, or `nil` if the last end was not clean.
    static func isAsLeft(_ directory: DataDirectory) -> Bool? {
        guard let words = DataDirectory.words(in: directory.end), words.count == 4 else { return nil }
        return words.compactMap { Int64($0) } == state(of: directory, recordedAt: directory.end)
    }

    /// Returns the recorded length and modification time of the database, or `nil` without a record. A process that
    /// changes nothing leaves them.
    static func text(in directory: DataDirectory) -> String? {
        DataDirectory.words(in: directory.end).map { $0.prefix(2).joined(separator: " ") }
    }

    /// Records a clean end. No connection to the database may be open.
    ///
    /// Without a record, for example because the disk is full, the next start treats the end as unclean.
    static func write(in directory: DataDirectory) {
        do throws(StoreError) {
            // The modification time must be on disk before the record that contains it.
            try DataDirectory.sync(directory.database)
            let file = try PartialFile(for: directory.end)
            guard let state = state(of: directory, recordedAt: file.path) else { return }
            let text = Array((state.map { "\($0)" }.joined(separator: " ") + "\n").utf8)
            try file.write(text.span.bytes)
            try file.finish(as: directory.end, replacing: true)
        } catch {
            // As above.
        }
    }

    /// Removes the record durably before the database changes.
    static func remove(in directory: DataDirectory) throws(StoreError) {
        guard unlink(directory.end) == 0 || errno == ENOENT else { throw .system(directory.end) }
        try DataDirectory.sync(directory.path)
    }

    /// Returns the database's length and modification time, in nanoseconds since 1970, and the record's own inode and
    /// birth time.
    private static func state(of directory: DataDirectory, recordedAt path: String) -> [Int64]? {
        guard let found = DataDirectory.status(directory.database), let record = DataDirectory.identity(path) else {
            return nil
        }
        let modified = Int64(found.st_mtim.tv_sec) * 1_000_000_000 + Int64(found.st_mtim.tv_nsec)
        return [Int64(found.st_size), modified, Int64(bitPattern: record.inode), record.born]
    }
}
