import CSQLite
import Glibc
import Measures
import Model

/// A recorder of the rows that a connection changes, by SQLite's session extension. Confined to the connection's thread.
///
/// Without a recorder, writes do no work for it. Recorded are all tables but the local ones.
final class RowRecorder {
    private let connection: SQLiteConnection
    private var session: OpaquePointer?
    private var recordedAt = MonotonicClock.seconds()
    private var writtenBefore: Int64

    /// The number of written rows after which a record is made before its second is over.
    private static let rowsMax = 1000

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        writtenBefore = connection.writtenRowCount
        try begin()
    }

    deinit { end() }

    private func end() {
        if let session { sqlite3session_delete(session) }
        session = nil
    }

    private func begin() throws(SQLiteError) {
        end()
        let code = sqlite3session_create(connection.handle, "main", &session)
        guard code == SQLITE_OK else { throw connection.error(code) }
        sqlite3session_table_filter(session, { _, name in RowRecorder.isRecorded(name) ? 1 : 0 }, nil)
        sqlite3session_attach(session, nil)
    }

    private static let recorded = Set(StoredTable.all.filter { !$0.isLocal }.map(\.name))

    /// Returns whether changes of a table are recorded and replayed: not those of local tables, nor of SQLite's own.
    static func isRecorded(_ table: UnsafePointer<CChar>?) -> Bool {
        table.map { recorded.contains(String(cString: $0)) } ?? false
    }

    /// A Boolean value indicating whether a record is due: a second has passed, or many rows were written.
    var isDue: Bool {
        let count = connection.writtenRowCount - writtenBefore
        return count >= Self.rowsMax || count > 0 && MonotonicClock.seconds() != recordedAt
    }

    /// Returns the rows that were changed since the last call, or `nil` if there are none; `head` is the log's last
    /// change. No transaction may be open.
    func take(head: Int64) throws(SQLiteError) -> RowRecord? {
        // Before the rows are taken: after an error of a lock they are taken later, and none may be lost.
        let sequences = try connection.statement("SELECT name, seq FROM sqlite_sequence").all {
            "\($0.text(0)) \($0.integer(1))"
        }
        var (count, bytes): (Int32, UnsafeMutableRawPointer?) = (0, nil)
        let code = sqlite3session_changeset(session, &count, &bytes)
        // It returns nothing.
        defer { sqlite3_free(bytes) }
        guard code == SQLITE_OK else { throw connection.error(code) }
        try begin()
        (recordedAt, writtenBefore) = (MonotonicClock.seconds(), connection.writtenRowCount)
        guard count > 0, let bytes else { return nil }
        let changeset = Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        return RowRecord(
            time: .now, head: head, sequences: sequences.joined(separator: " "), changeset: changeset)
    }
}
