import CSQLite
import Model

/// What SQLite answered instead of doing what it was asked. Never holds a bound value.
struct SQLiteError: Error {
    /// The extended result code.
    let code: Int32
    /// SQLite's own words, which name tables and columns but no values.
    let message: String

    /// The disk, or the quota on it, is full; also where the index of the write-ahead log could not grow.
    var isFull: Bool { code & 0xFF == SQLITE_FULL || code == Self.sharedMemoryFull }

    /// The file is damaged, or no database.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }

    /// The disk answered with a fault: nobody can say what is on it.
    var isDiskFault: Bool { code & 0xFF == SQLITE_IOERR && !isFull }

    /// `SQLITE_IOERR_SHMSIZE`, a macro that Swift does not see.
    private static let sharedMemoryFull = SQLITE_IOERR | 19 << 8

    /// The same error as the rest of the house knows it.
    var asLecternError: LecternError { isFull ? .outOfSpace : .internalError("SQLite error \(code): \(message)") }
}
