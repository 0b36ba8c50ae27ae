import CSQLite
import Model

/// A prepared statement: bind from 1, step, read columns from 0, reset. Confined to its connection's thread.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    /// The result code of the first failed bind since the last reset. The bind leaves NULL or the former value, so the
    /// next step throws.
    private var bindResult = SQLITE_OK

    init(_ sql: String, in database: OpaquePointer) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            throw SQLiteError(code: code, of: database)
        }
        handle = prepared
        self.database = database
    }

    // The result repeats that of the last step.
    deinit { sqlite3_finalize(handle) }

    /// Steps the statement. Returns `true` for a row and `false` at the end.
    func step() throws(SQLiteError) -> Bool {
        guard bindResult == SQLITE_OK else { throw SQLiteError(code: bindResult, message: "cannot bind a value") }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw SQLiteError(code: code, of: database)
    }

    /// Resets the statement for its next use. Bindings stay until they are replaced.
    func reset() {
        // The result repeats that of the last step.
        sqlite3_reset(handle)
        bindResult = SQLITE_OK
    }

    /// Steps once and resets.
    func run() throws(SQLiteError) {
        defer { reset() }
        _ = try step()
    }

    /// Records the result of a bind for the next step. A composed text may leave out a condition with its parameter, so
    /// a missing parameter is not an error.
    @inline(__always)
    private func record(_ code: Int32) { if code != SQLITE_OK, code != SQLITE_RANGE { bindResult = code } }

    /// Binds values to the parameters from 1 on, in their order.
    @discardableResult
    func bind<each Value: SQLBindable>(_ values: repeat each Value) -> SQLiteStatement {
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            value.bind(to: self, at: index)
        }
        return self
    }

    /// Binds values to the parameters from 1 on, in their order.
    @discardableResult
    func bind(_ values: [any SQLBindable]) -> SQLiteStatement {
        for (index, value) in values.enumerated() { value.bind(to: self, at: Int32(index) + 1) }
        return self
    }

    /// Binds a value to the parameter with a number.
    @discardableResult
    func bind(at index: Int32, _ value: some SQLBindable) -> SQLiteStatement {
        value.bind(to: self, at: index)
        return self
    }

    func bindNull(at index: Int32) { record(sqlite3_bind_null(handle, index)) }

    func bindInteger(_ value: Int64, at index: Int32) { record(sqlite3_bind_int64(handle, index, value)) }

    /// Binds a copy of UTF-8 text.
    @inline(never)
    func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
        record(lectern_sqlite3_bind_text(handle, index, bytes.baseAddress ?? empty, Int32(bytes.count)))
    }

    /// Binds a copy of bytes.
    @inline(never)
    func bindBlob(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
        record(lectern_sqlite3_bind_blob(handle, index, bytes.baseAddress ?? empty, Int32(bytes.count)))
    }

    /// Returns the value of a column, or `null` for bytes that are not an id.
    @inline(never)
    func cell(_ column: Int32) -> DatabaseValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: optionalID(column).map { .id($0) } ?? .null
        default: .null
        }
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func int32(_ column: Int32) -> Int32 { Int32(truncatingIfNeeded: sqlite3_column_int64(handle, column)) }

    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    func instant(_ column: Int32) -> Instant { Instant(milliseconds: integer(column)) }

    func optionalInstant(_ column: Int32) -> Instant? { isNull(column) ? nil : instant(column) }

    @inline(never)
    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    @inline(never)
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Returns text as its UTF-8 bytes, or `nil` for NULL.
    @inline(never)
    func bytes(_ column: Int32) -> [UInt8]? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Returns the bytes of a BLOB, which are empty for NULL.
    func blob(_ column: Int32) -> [UInt8] { withBlob(column) { Array($0) } }

    /// Returns a Boolean value indicating whether a column contains a BLOB.
    func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_BLOB }

    /// Calls `body` with the bytes of a BLOB, which are valid until the next step.
    func withBlob<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(handle, column)
        return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    @inline(never)
    func optionalID(_ column: Int32) -> ResourceID? {
        let count = Int(sqlite3_column_bytes(handle, column))
        return ResourceID(bytes: UnsafeRawBufferPointer(start: sqlite3_column_blob(handle, column), count: count))
    }

    /// Returns an id from a column that is never NULL.
    func id(_ column: Int32) -> ResourceID { optionalID(column) ?? .zero }

    /// Returns a Boolean value indicating whether a column contains the digest.
    func equals(_ column: Int32, _ digest: SHA256Digest) -> Bool {
        let count = Int(sqlite3_column_bytes(handle, column))
        guard let start = sqlite3_column_blob(handle, column) else { return false }
        return UnsafeRawBufferPointer(start: start, count: count).elementsEqual(digest.bytes)
    }

    private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// A non-null pointer for empty values: a null pointer would bind NULL instead.
    private var empty: UnsafeRawPointer { UnsafeRawPointer(handle) }
}
