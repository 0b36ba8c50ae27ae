import CSQLite
import Glibc
import Model

/// An error of SQLite. It never contains a bound value.
struct SQLiteError: Error {
    /// The extended result code.
    let code: Int32
    /// SQLite's message, which names tables and columns but no values.
    let message: String

    init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// Creates the error of the result code that a connection has just returned.
    @inline(never)
    init(code: Int32, of database: OpaquePointer) {
        // SQLite reports a quota as a failed write. If nothing was synced yet, it is handled like a full disk.
        let isQuota = code == Self.writeFailed && lectern_sqlite3_failed_with(database, EDQUOT) != 0
        self.init(code: isQuota ? SQLITE_FULL : code, message: String(cString: sqlite3_errmsg(database)))
    }

    /// The error after SQLite has ended a read transaction because of another error: later reads would use another
    /// snapshot.
    static let lostSnapshot = SQLiteError(code: readFailed, message: "the read transaction has ended")

    /// Returns the error of a column whose value its field cannot have.
    @inline(never)
    static func undecodable(_ column: String, key: Int64?) -> SQLiteError {
        SQLiteError(
            code: SQLITE_MISMATCH,
            message: "\(column) holds an invalid value" + (key.map { " in the row with key \($0)" } ?? ""))
    }

    /// A Boolean value indicating whether a stored value is invalid for its field.
    var isUndecodable: Bool { code == SQLITE_MISMATCH }

    /// A Boolean value indicating whether the disk or its quota is full, including for the index of the write-ahead
    /// log.
    var isFull: Bool { code & 0xFF == SQLITE_FULL || code == Self.sharedMemoryFull }

    /// A Boolean value indicating whether the file is damaged or no database.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }

    /// A Boolean value indicating whether another program has locked the file, or its index (`SQLITE_PROTOCOL`, after
    /// ten seconds). Nothing was done, and a later try can succeed.
    var isLocked: Bool { [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].contains(code & 0xFF) }

    /// A Boolean value indicating whether a read failed or was interrupted. The disk's content is unchanged.
    var isUnreadable: Bool { code == Self.readFailed || isInterruption }

    /// A Boolean value indicating whether the connection's `ReadDeadline` interrupted the statement.
    var isInterruption: Bool { code & 0xFF == SQLITE_INTERRUPT }

    /// A Boolean value indicating whether a write failed, so that the content of the disk is unknown.
    var isDiskFault: Bool { code & 0xFF == SQLITE_IOERR && !isFull && !isUnreadable }

    // `SQLITE_IOERR_READ`, `…_WRITE`, `…_SHMSIZE` and `SQLITE_CONSTRAINT_UNIQUE` are macros that Swift does not import.
    private static let readFailed = SQLITE_IOERR | 1 << 8
    private static let writeFailed = SQLITE_IOERR | 3 << 8
    private static let sharedMemoryFull = SQLITE_IOERR | 19 << 8
    private static let notUnique = SQLITE_CONSTRAINT | 8 << 8

    /// The corresponding `RequestError`.
    var asRequestError: RequestError {
        @inline(never)
        get {
            if isFull { return .outOfSpace }
            if isLocked {
                return .unavailable(
                    .databaseLocked,
                    "Another program has locked the database. Nothing was done. Try again in a moment.",
                    retryAfterSeconds: 1)
            }
            if isUnreadable {
                return .unavailable(
                    .diskUnreadable,
                    "The disk failed to read the database. Nothing was done. The operator must check the disk.",
                    retryAfterSeconds: 1)
            }
            return .internalError("SQLite error \(code): \(message)")
        }
    }

    /// The corresponding `RequestError` for a line of an import, which relies on the unique indexes of the tables. Other
    /// commands look for the other row first.
    var asImportError: RequestError {
        guard code == Self.notUnique else { return asRequestError }
        // "UNIQUE constraint failed: shelf_books.shelf, shelf_books.book"
        let columns = message.drop { $0 != ":" }.split(separator: ",").compactMap { $0.split(separator: ".").last }
        return .refused(
            .importDiffers, "Another row has the same \(columns.joined(separator: " and ")). There can be only one.")
    }
}
