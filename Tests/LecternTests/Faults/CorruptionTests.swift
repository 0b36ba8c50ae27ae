import CSQLite
import Foundation
import SharedByTests
import Testing

@testable import Store

@Suite("Findings of the check", .ownThreads)
struct CorruptionTests {
    /// The columns in which the check does not notice another value, by the reason.
    private static let unnoticed: [String: String] = [
        "accounts are in no log":
            "accounts.folded accounts.name accounts.password accounts.password_at",
        "nothing else has it":
            "books.added_by changes.at clock_marks.seq clock_marks.wall notes.answers notes.to_club notes.to_moderators scenes.used_day",
        "computed from what was known when it was written":
            "notes.at",
        "a cell that is no value reads as the default":
            "settings.presence settings.sync_progress settings.update_artwork",
        "a shelf that was never changed is in no log":
            "shelves.club shelves.created_at shelves.name shelves.updated_at",
    ]

    private static let export = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Transfer/library.jsonl")

    /// Returns other values of the same kind, of which the table's constraints accept at least one.
    private static func replacements(_ column: String) -> [String] {
        [
            "CASE typeof(\(column)) WHEN 'integer' THEN \(column) + 1 WHEN 'text' THEN \(column) || 'x' WHEN 'real' THEN \(column) + 1"
                + " WHEN 'blob' THEN zeroblob(length(\(column))) ELSE 1 END",
            "CASE typeof(\(column)) WHEN 'integer' THEN \(column) - 1 WHEN 'text' THEN 'x' ELSE x'00' END",
            "CASE typeof(\(column)) WHEN 'null' THEN 'x' END", "1", "NULL", "'everyone'", "'none'",
            "1 - \(column)",
        ]
    }

    @Test("The check notices changed values in each column of each table")
    func columns() throws {
        let data = TestDirectory.memory.path("corruption")
        defer { try? FileManager.default.removeItem(atPath: data) }
        #expect(try Binary.run(["import", Self.export.path, "--data", data]).code == 0)
        let connection = try SQLiteConnection(path: data + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        #expect(try IntegrityCheck.allFindings(connection) == [])
        let columns = try connection.statement(
            once: """
                SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
                WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.pk = 0
                ORDER BY 1, 2
                """
        ).all { ($0.text(0), $0.text(1)) }
        var missed: [String] = []
        var empty: Set<String> = []
        for (table, column) in columns {
            guard try connection.statement(once: "SELECT 1 FROM \(table)").first({ _ in true }) == true else {
                empty.insert(table)
                continue
            }
            let hasVersion = columns.contains { $0 == (table, "version") }
            if try !isNoticed(table, column, order: hasVersion ? "version" : "rowid", connection) {
                missed.append("\(table).\(column)")
            }
        }
        let known = Self.unnoticed.values.flatMap { $0.split(separator: " ").map(String.init) }
        #expect(missed.sorted() == known.sorted(), "tables without rows: \(empty.sorted())")
    }

    /// Returns whether the check notices another value in the row that was changed last. Rows that were never changed
    /// are in no log.
    private func isNoticed(_ table: String, _ column: String, order: String, _ connection: SQLiteConnection) throws
        -> Bool
    {
        for value in Self.replacements(column) {
            try connection.execute("SAVEPOINT corruption")
            defer {
                #expect(throws: Never.self) { try connection.execute("ROLLBACK TO corruption; RELEASE corruption") }
            }
            do {
                try connection.execute(
                    """
                    UPDATE \(table) SET \(column) = \(value)
                    WHERE rowid = (
                        SELECT rowid FROM \(table) WHERE \(column) IS NOT (\(value)) ORDER BY \(order) DESC LIMIT 1)
                    """)
            } catch { continue }
            guard sqlite3_changes(connection.handle) == 1 else { continue }
            return try !IntegrityCheck.allFindings(connection).isEmpty
        }
        return true
    }
}
