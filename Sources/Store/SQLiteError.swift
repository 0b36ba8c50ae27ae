import CSQLite
import Model

/// What SQLite answered instead of doing what it was asked. Never holds a bound value.
struct SQLiteError: Error {
    /// The extended result code.
    let code: Int32
    /// SQLite's own words, which name tables and columns but no values.
    let message: String

    /// The disk, or the quota on it, is full.
    var isFull: Bool { code & 0xFF == SQLITE_FULL }

    /// The same error as the rest of the house knows it.
    var asLecternError: LecternError { isFull ? .outOfSpace : .internalError("SQLite error \(code): \(message)") }
}
