import CSQLite
import Glibc
import Model

/// What SQLite answered instead of doing what it was asked. Never holds a bound value.
struct SQLiteError: Error {
    /// The extended result code.
    let code: Int32
    /// SQLite's own words, which name tables and columns but no values.
    let message: String

    init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// The error of a result code that a connection just gave.
    @inline(never)
    init(code: Int32, of database: OpaquePointer) {
        // To SQLite a quota is any failed write; to us it is a full disk, when nothing was synced yet.
        let isQuota = code == Self.writeFailed && lectern_sqlite3_failed_with(database, EDQUOT) != 0
        self.init(code: isQuota ? SQLITE_FULL : code, message: String(cString: sqlite3_errmsg(database)))
    }

    /// A read failed so that SQLite ended the transaction: what would be read next is of another snapshot.
    static let lostSnapshot = SQLiteError(code: readFailed, message: "the read transaction has ended")

    /// The disk, or the quota on it, is full; also where the index of the write-ahead log could not grow.
    var isFull: Bool { code & 0xFF == SQLITE_FULL || code == Self.sharedMemoryFull }

    /// The file is damaged, or no database.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }

    /// Another program has locked the file: nothing was done, and later it can be.
    var isLocked: Bool { code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED }

    /// A read failed, or was broken off: what is on the disk is as it was.
    var isUnreadable: Bool { code == Self.readFailed || isInterruption }

    /// It was broken off: the connection's `ReadDeadline` has passed.
    var isInterruption: Bool { code & 0xFF == SQLITE_INTERRUPT }

    /// The disk answered a write with a fault: nobody can say what is on it.
    var isDiskFault: Bool { code & 0xFF == SQLITE_IOERR && !isFull && !isUnreadable }

    // `SQLITE_IOERR_READ`, `…_WRITE`, `…_SHMSIZE`: macros that Swift does not see.
    private static let readFailed = SQLITE_IOERR | 1 << 8
    private static let writeFailed = SQLITE_IOERR | 3 << 8
    private static let sharedMemoryFull = SQLITE_IOERR | 19 << 8

    /// The same error as the rest of the house knows it.
    var asLecternError: LecternError {
        @inline(never)
        get {
            if isFull { return .outOfSpace }
            if isLocked {
                return .unavailable(
                    .databaseLocked, "Another program has locked the database. Nothing was done.", retryAfterSeconds: 1)
            }
            if isUnreadable {
                return .unavailable(
                    .diskUnreadable, "The disk failed to read the database. Nothing was done.", retryAfterSeconds: 1)
            }
            return .internalError("SQLite error \(code): \(message)")
        }
    }
}
