import CSQLite

extension DataDirectory {
    /// Opens a Lectern database of any known version, only for reading if a server has it open. Returns its version, too.
    /// With `keepingLog`, the log is kept after a crash, so that the next start recognizes the crash.
    func opened(
        isServed: Bool = false, keepingLog: Bool = true
    ) throws(StoreError) -> (connection: SQLiteConnection, version: Int64) {
        let keepsLog = keepingLog && !wasClosed
        let connection = try StoreError.at(self) { () throws(SQLiteError) in
            try SQLiteConnection(path: database, flags: isServed ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        }
        if keepsLog { connection.keepLogAtClose() }
        let version = try DatabaseSchema.version(of: connection, self)
        guard version > 0 else { throw .nothing(directory: path) }
        return (connection, version)
    }
}
