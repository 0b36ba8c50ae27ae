import CLinux
import Glibc
import Model

/// The identity of a database file. The database keeps its epoch only while it is the file that was served last. A copy
/// has another inode or birth time. If the same file was overwritten, it differs from the record of the last clean end,
/// or ends before the last change that was served.
struct DatabaseIdentity {
    private let inode: Int64
    /// The birth time in nanoseconds since 1970, or -1 if the file system does not store it.
    private let born: Int64

    /// Returns `nil` if there is no such file.
    init?(path: String) {
        guard let file = DataDirectory.identity(path) else { return nil }
        inode = Int64(bitPattern: file.inode)
        born = file.born
    }

    /// Returns the epoch of the database's log, and the reason if it is a new one. The reason is `nil` for an unchanged
    /// or first epoch. A new epoch also starts when this program's searches find other results than the program before.
    /// `isAsLeft` is the result for the record of the last end, read before the file was opened.
    func epoch(
        in connection: SQLiteConnection, _ lock: DirectoryLock, isAsLeft: Bool?
    ) throws(SQLiteError) -> (epoch: LogEpoch, reason: String?) {
        guard let number = try connection.number("SELECT value FROM meta WHERE name = 'epoch'") else {
            return (try keep(.random(), in: connection), nil)
        }
        let old = LogEpoch(UInt32(truncatingIfNeeded: number))
        guard let reason = try difference(connection, lock, isAsLeft: isAsLeft) else { return (old, nil) }
        var new = LogEpoch.random()
        while new == old { new = .random() }
        return (try keep(new, in: connection), reason)
    }

    /// Returns why the database is not the file that was served last with its epoch, or `nil` if it is.
    private func difference(
        _ connection: SQLiteConnection, _ lock: DirectoryLock, isAsLeft: Bool?
    ) throws(SQLiteError) -> String? {
        guard let inode = try connection.number("SELECT value FROM meta WHERE name = 'inode'"),
            let born = try connection.number("SELECT value FROM meta WHERE name = 'born'")
        else { return "it is unknown which database file was served last" }
        guard self.inode == inode, self.born == born else {
            return "the database is a copy of the file that was served last"
        }
        guard let served = lock.served else { return "lectern.lock does not name the file that was served last" }
        if isAsLeft == false {
            return "another program has written to the database since it was last served"
        }
        if try SearchIndex.isOutdated(connection) { return "searches in this version have other results" }
        let head = try connection.number("SELECT max(seq) FROM changes") ?? 0
        guard head >= served else {
            return "the database ends at change \(head), but changes up to \(served) were served"
        }
        return nil
    }

    /// Stores the epoch. On a full disk this fails, and the next start safely creates another epoch.
    private func keep(_ epoch: LogEpoch, in connection: SQLiteConnection) throws(SQLiteError) -> LogEpoch {
        do throws(SQLiteError) {
            try connection.statement(
                "INSERT OR REPLACE INTO meta (name, value) VALUES ('epoch', ?1), ('inode', ?2), ('born', ?3)"
            ).bind(Int64(epoch.number), inode, born).run()
        } catch  where error.isFull {}
        return epoch
    }
}
