import Glibc

/// An error that prevents opening or reading a store. The text says what to do.
package enum StoreError: Error, Equatable, CustomStringConvertible {
    /// Another process uses the directory. The process id is given if it is known.
    case inUse(directory: String, pid: Int32?)
    /// There is no database, and none was to be created.
    case nothing(directory: String)
    /// The database is missing, but the remaining files show that there was one.
    case lost(directory: String, remains: [String])
    /// The file is a database of another program.
    case foreign(path: String, reason: String)
    /// The database was made by a version before 1.0.
    case development(path: String)
    /// The database was written by a newer version of the program.
    case tooNew(found: Int64, known: Int64)
    /// The database is damaged. Contains the first findings.
    case damaged(directory: String, findings: [String])
    /// A file or directory cannot be used.
    case file(path: String, reason: String)
    /// SQLite returned an error.
    case database(String)

    /// Returns the error of a system call with a file or directory: the last one that failed, unless a code is given.
    static func system(_ path: String, _ code: Int32 = errno) -> StoreError {
        .file(path: path, reason: String(cString: strerror(code)))
    }

    /// Creates the error of a database file that is being opened or checked.
    init(_ error: SQLiteError, at directory: DataDirectory) {
        let path = directory.database
        self =
            if error.isDamage {
                .damaged(directory: directory.path, findings: [error.message])
            } else if error.isFull {
                .file(path: path, reason: "the disk is full. Free some space and try again")
            } else if error.isLocked {
                .file(
                    path: path,
                    reason: "another program (a shell, a backup) has locked the database. Try again when it is done")
            } else if error.isUnreadable {
                .file(
                    path: path,
                    reason: "the disk failed to read it (\(error.message), code \(error.code)). This is not always "
                        + "damage. Try again, and check the disk if this continues")
            } else {
                .file(path: path, reason: "\(error.message) (SQLite error \(error.code))")
            }
    }

    /// Runs `body` with the database of a directory, and converts its errors for the operator.
    static func at<Result>(
        _ directory: DataDirectory, _ body: () throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw StoreError(error, at: directory) }
    }

    /// A sentence for the operator of the service.
    package var description: String {
        switch self {
        case .inUse(let directory, let pid):
            "\(directory) is in use by another lectern\(pid.map { " (process \($0))" } ?? ""). Stop it, or choose another --data."
        case .nothing(let directory):
            "There is no database in \(directory). Choose another --data, or create one with `lectern serve` or `lectern import`."
        case .lost(let directory, let remains):
            "\(directory)/lectern.sqlite is missing or empty, but there was a database, as \(remains.joined(separator: ", ")) "
                + "shows. Put it back, together with its lectern.sqlite-wal, or restore a backup. To start anew, choose "
                + "another --data, or move the files in \(directory) away."
        case .foreign(let path, let reason): "\(path) is not a Lectern database: \(reason). Choose another --data."
        case .development(let path):
            "\(path) was made by a development version of Lectern. Export it with `lectern export` of that "
                + "program, and import the file with `lectern import` of this one into another --data."
        case .tooNew(let found, let known):
            "The database has schema \(found); this is lectern \(ProgramRelease.version), which supports schemas up to "
                + "\(known). Use a newer lectern, or restore the backup that was made before the upgrade into another --data."
        case .damaged(let directory, let findings):
            "The database in \(directory) is damaged: \(findings.joined(separator: "; ")). Keep the files, restore a backup, "
                + "or salvage with: sqlite3 \(directory)/lectern.sqlite .recover"
        case .file(let path, let reason): "\(path): \(reason)"
        case .database(let message): message
        }
    }
}
