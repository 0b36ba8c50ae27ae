import CLinux
import Glibc
import Model

/// Which file a database is: it has its epoch only as long as it is the very one that was last served. A copy has another
/// inode or another birth; what was written over the same file differs from the record of the last clean end, or ends before what
/// had been served.
struct ServedFile: Equatable {
    private let inode: Int64
    /// Nanoseconds since 1970; -1 where the file system does not keep it.
    private let born: Int64

    /// Nil when there is no such file.
    init?(path: String) {
        var file = clinux_file()
        guard clinux_identify(path, &file) == 0 else { return nil }
        inode = Int64(bitPattern: file.inode)
        born = file.born
    }

    private init(inode: Int64, born: Int64) {
        self.inode = inode
        self.born = born
    }

    /// The epoch that the database's log has from now on (another one, too, where this program shows another catalogue to searches
    /// than the one before), and why it is another than before; nil when it is not, or when
    /// there was none. `isAsLeft` is what the record of the last end said
    /// before the file was opened.
    func epoch(
        in connection: Connection, _ lock: DirectoryLock, isAsLeft: Bool?
    ) throws(SQLiteError) -> (epoch: Epoch, reason: String?) {
        guard let number = try connection.number("SELECT value FROM meta WHERE name = 'epoch'") else {
            return (try keep(.random(), in: connection), nil)
        }
        let old = Epoch(UInt32(truncatingIfNeeded: number))
        guard let reason = try difference(connection, lock, isAsLeft: isAsLeft) else { return (old, nil) }
        var new = Epoch.random()
        while new == old { new = .random() }
        return (try keep(new, in: connection), reason)
    }

    /// Whether the database is the very one that was served last, and has the epoch that it had.
    func isServed(
        by connection: Connection, _ lock: DirectoryLock, isAsLeft: Bool?
    ) throws(SQLiteError) -> Bool {
        try difference(connection, lock, isAsLeft: isAsLeft) == nil
    }

    private func difference(
        _ connection: Connection, _ lock: DirectoryLock, isAsLeft: Bool?
    ) throws(SQLiteError) -> String? {
        guard let inode = try connection.number("SELECT value FROM meta WHERE name = 'inode'"),
            let born = try connection.number("SELECT value FROM meta WHERE name = 'born'")
        else { return "it is not known which file was served last" }
        guard self == ServedFile(inode: inode, born: born) else {
            return "the database is a copy, and not the file that was served last"
        }
        guard let served = lock.served else { return "lectern.lock does not say what was served last" }
        if isAsLeft == false {
            return "something else has written to the database since it was last served"
        }
        if try SearchIndex.isToBegin(connection) { return "searches find otherwise in this version" }
        let head = try connection.number("SELECT max(seq) FROM changes") ?? 0
        guard head >= served else { return "the database ends at change \(head), and \(served) were served from here" }
        return nil
    }

    /// Notes that what was served is in this file from now on.
    func note(in connection: Connection) throws(SQLiteError) {
        try connection.statement("INSERT OR REPLACE INTO meta (name, value) VALUES ('inode', ?1), ('born', ?2)")
            .bind(1, inode).bind(2, born).run()
    }

    /// On a full disk it is not kept: then the next start finds the same, and makes another epoch, which is safe.
    private func keep(_ epoch: Epoch, in connection: Connection) throws(SQLiteError) -> Epoch {
        do throws(SQLiteError) {
            try connection.statement(
                "INSERT OR REPLACE INTO meta (name, value) VALUES ('epoch', ?1), ('inode', ?2), ('born', ?3)"
            ).bind(1, Int64(epoch.number)).bind(2, inode).bind(3, born).run()
        } catch  where error.isFull {}
        return epoch
    }
}
