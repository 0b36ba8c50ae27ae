import CSQLite
import Model
import Testing

@testable import Store

@Suite("Cells that hold no value of their field")
struct InvalidCellTests {
    private static func connection() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
        try DatabaseSchema.migrate(connection, from: 0)
        try connection.run("PRAGMA ignore_check_constraints = ON")
        return connection
    }

    @Test("A read of an invalid cell fails, and names the table, the column and the key")
    func row() throws {
        let connection = try Self.connection()
        try connection.run(
            """
            INSERT INTO books (key, id, version, card_version, title, sort_title, authors, created_at, updated_at)
            VALUES (7, zeroblob(16), 1, 1, 'Emma', 'emma', 'Jane Austen', 0, 0)
            """)
        let error = #expect(throws: SQLiteError.self) { try BookTable.find(key: 7, in: connection) }
        #expect(error?.message == "books.authors holds an invalid value in the row with key 7")
    }

    @Test("A read of a list with an invalid cell fails, and does not omit it")
    func list() throws {
        let connection = try Self.connection()
        for (key, authors) in [(1, "[]"), (2, "{"), (3, "[]")] {
            try connection.execute(
                """
                INSERT INTO books (key, id, version, card_version, title, sort_title, authors, created_at, updated_at)
                VALUES (\(key), randomblob(16), 1, 1, 'Emma', 'emma', '\(authors)', 0, 0)
                """)
        }
        let error = #expect(throws: SQLiteError.self) {
            try connection.statement(BookTable.rows.sql("ORDER BY books.key")).all(BookTable.row)
        }
        #expect(error?.message == "books.authors holds an invalid value in the row with key 2")
    }

    @Test("A row of the log of an unknown kind is an error")
    func change() throws {
        let connection = try Self.connection()
        try connection.run(
            """
            INSERT INTO changes (seq, command, at, kind, resource, scope, reader, operation, value)
            VALUES (9, 9, 0, 250, zeroblob(16), 0, 0, 1, '{}')
            """)
        let error = #expect(throws: SQLiteError.self) {
            try connection.statement(once: "SELECT \(ReplayedLogRow.columns) FROM changes \(ReplayedLogRow.joins)").all(
                ReplayedLogRow.change)
        }
        #expect(error?.message == "changes.kind holds an invalid value in the row with key 9")
    }

    @Test(
        "A value of the log that is no JSON is an error that names its column and its change",
        arguments: ["'text'", "'{\"a\":1'", "'{\"a\":' || char(10) || '1}'", "''"])
    func value(_ damaged: String) throws {
        let connection = try Self.connection()
        try connection.execute(
            """
            INSERT INTO changes (seq, command, at, kind, resource, scope, reader, operation, value)
            VALUES (9, 9, 0, \(ResourceKind.book.rawValue), zeroblob(16), 0, 0, 1, \(damaged))
            """)
        let error = #expect(throws: SQLiteError.self) {
            try connection.statement(once: "SELECT \(ReplayedLogRow.columns) FROM changes \(ReplayedLogRow.joins)").all(
                ReplayedLogRow.change)
        }
        #expect(error?.message == "changes.value holds an invalid value in the row with key 9")
    }
}
