import CSQLite
import Foundation
import Model
import SharedByTests
import Testing

@testable import Store

/// `LECTERN_TESTS=long` runs 8 times 5,000 steps.
@Suite("Random histories and the log of rows", .serialized)
struct RowLogHistoryTests {
    private static let steps = TestBudget.of(150, long: 5000)

    @Test(
        "A backup with the rows that were logged after it is the database, row by row",
        arguments: TestBudget.seeds(1, long: 8))
    func replayed(_ seed: UInt64) throws {
        var backups = BackupSettings()
        (backups.hours, backups.logsRows) = (24, true)
        let history = try OracleHistory(seed: seed, backups: backups)
        let (pipeline, directory) = (history.pipeline, DataDirectory(path: history.pipeline.directory))
        #expect(eventually { pipeline.store.backups.all.first?.state == .done })
        let base = try #require(pipeline.store.backups.all.first)
        for number in 1...Self.steps {
            try history.take(number)
            // Files in the middle of the history, at the moments of further backups.
            if number == Self.steps / 3 { _ = pipeline.store.backups.ask() }
        }
        #expect(eventually { pipeline.store.backups.all.allSatisfy { $0.state == .done } })
        #expect(pipeline.store.backups.all.count == 2)
        pipeline.store.close()

        let folder = BackupDirectory(path: directory.backups)
        let copy = try Self.copy(of: base, in: folder)
        defer { try? FileManager.default.removeItem(atPath: copy.path) }
        #expect(try Self.rows(copy.database) != Self.rows(directory.database))
        var replay = RowLogReplay(folder, until: nil, progress: RestoreProgress())
        try replay.run(after: base.id, in: copy)
        let (replayed, expected) = (try Self.rows(copy.database), try Self.rows(directory.database))
        for (table, rows) in expected { #expect(replayed[table] == rows, "\(table)") }
        #expect(replayed.count == expected.count && expected.count > 40)
        // The next start makes the words of the search.
        try Store.open(directory: copy.path, creates: false).close()
        for table in ["books_words", "notes_words", "words"] {
            #expect(try Self.rows(of: table, copy.database) == Self.rows(of: table, directory.database))
        }
        #expect(try Store.check(directory: copy.path) == [])
    }

    /// Copies a backup, without its digest, to a data directory.
    private static func copy(of backup: Backup, in folder: BackupDirectory) throws -> DataDirectory {
        let copy = DataDirectory(path: TestDirectory.memory.path("replay"))
        try copy.make()
        let bytes = try #require(FileManager.default.contents(atPath: folder.path(of: backup.file)))
        try bytes.dropLast(BackupDigest.byteCount + BackupDigest.rowLogByteCount).write(
            to: URL(filePath: copy.database))
        return copy
    }

    /// Returns the rows of all tables that are replayed, by the tables' names.
    private static func rows(_ path: String) throws -> [String: [String]] {
        let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE)
        let names = try connection.statement(
            once: """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%words%' AND name <> 'meta'
                """
        ).all { $0.text(0) }
        return try names.reduce(into: [:]) { $0[$1] = try rows(of: $1, path) }
    }

    private static func rows(of table: String, _ path: String) throws -> [String] {
        let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE)
        let columns = try connection.statement(
            once: "SELECT 'quote(' || name || ')' FROM pragma_table_info('\(table)')"
        )
        .all { $0.text(0) }
        return try connection.statement(
            once: "SELECT \(columns.joined(separator: " || ',' || ")) FROM \(table) ORDER BY 1"
        )
        .all { $0.text(0) }
    }
}
