import CLinux
import Model

/// Which file a database is: it has its epoch only as long as it is the very one that was last served. A copy has another
/// inode or another birth; what was restored into the same file ends before what had been served.
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

    /// The epoch that the database's log has from now on, and why it is another than before; nil when it is not, or when
    /// there was none. `served` is the last change that is known to have been served from this directory.
    func epoch(in connection: Connection, served: Int64) throws(SQLiteError) -> (epoch: Epoch, reason: String?) {
        guard let number = try connection.number("SELECT value FROM meta WHERE name = 'epoch'") else {
            return (try keep(.random(), in: connection), nil)
        }
        let old = Epoch(UInt32(truncatingIfNeeded: number))
        guard let reason = try difference(connection, served: served) else { return (old, nil) }
        var new = Epoch.random()
        while new == old { new = .random() }
        return (try keep(new, in: connection), reason)
    }

    private func difference(_ connection: Connection, served: Int64) throws(SQLiteError) -> String? {
        guard let inode = try connection.number("SELECT value FROM meta WHERE name = 'inode'"),
            let born = try connection.number("SELECT value FROM meta WHERE name = 'born'")
        else { return "it is not known which file was served last" }
        guard self == ServedFile(inode: inode, born: born) else {
            return "the database is a copy, and not the file that was served last"
        }
        let head = try connection.number("SELECT max(seq) FROM changes") ?? 0
        guard head >= served else { return "the database ends at change \(head), and \(served) were served from here" }
        return nil
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
