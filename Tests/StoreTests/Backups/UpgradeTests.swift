import Foundation
import SharedByTests
import Synchronization
import Testing

@testable import Store

/// Tests of upgrades by a migration that a test adds to those of the program.
@Suite("Upgrades", .ownThreads)
struct UpgradeTests {
    private static let step = "CREATE TABLE bookmarks (key INTEGER PRIMARY KEY, page INTEGER NOT NULL) STRICT"
    private static let old = Int64(Migrations.embedded.count)

    /// Returns a closed database of the program's own schema with a book and a note.
    private func closedDatabase() throws -> String {
        let fixture = try StoreFixture()
        try fixture.addNote(try fixture.addBook(), nil, "Alone", try fixture.administrator)
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        fixture.store.close()
        return fixture.directory
    }

    /// Runs a closure as a program with one more migration.
    private func withStep<Result>(_ sql: String = step, _ body: () throws -> Result) rethrows -> Result {
        try Migrations.$all.withValue(Migrations.embedded + [Array(sql.utf8)], operation: body)
    }

    private func query(_ directory: String, _ sql: String) throws -> [String] {
        try BackupTests.rows(directory + "/lectern.sqlite", sql)
    }

    @Test("An upgrade runs the new migration, keeps every row, and leaves a copy of the database from before")
    func upgrade() throws {
        let directory = try closedDatabase()
        defer { StoreFixture.remove(directory) }
        let rows = ["SELECT body FROM notes", "SELECT title FROM books", "SELECT count(*), max(seq) FROM changes"]
        let before = try rows.map { try query(directory, $0) }
        let notices = Mutex<[String]>([])
        try withStep {
            try Store.open(
                directory: directory, configuration: StoreFixture.configuration,
                report: { notice in notices.withLock { $0.append(notice.text) } }
            ).close()
            #expect(try Store.check(directory: directory) == [])
        }
        #expect(try query(directory, "PRAGMA user_version") == ["\(Self.old + 1)"])
        #expect(try query(directory, "SELECT count(*) FROM bookmarks") == ["0"])
        #expect(try rows.map { try query(directory, $0) } == before)
        let copies = try FileManager.default.contentsOfDirectory(atPath: directory + "/backups")
        #expect(copies.count == 1 && copies[0].hasPrefix("upgrade-"))
        let text = "from \(Self.old) to \(Self.old + 1)"
        #expect(notices.withLock { $0 }.contains { $0.contains(copies[0]) && $0.contains(text) })
        let copy = directory + "/backups/" + copies[0]
        #expect(try BackupTests.rows(copy, "PRAGMA user_version") == ["\(Self.old)"])
        _ = try BackupRestoration(copy, into: directory + "/again", keepsTokens: false).run()
        #expect(try Store.check(directory: directory + "/again") == [])
        #expect(try query(directory + "/again", "SELECT body FROM notes") == ["Alone"])
    }

    @Test("A failed migration leaves the schema and the rows unchanged")
    func failure() throws {
        let directory = try closedDatabase()
        defer { StoreFixture.remove(directory) }
        let schema = "SELECT name || ifnull(sql, '') FROM sqlite_schema ORDER BY 1"
        let before = try query(directory, schema)
        #expect(throws: StoreError.self) {
            try withStep(Self.step + "; UPDATE notes SET body = 'x'; INSERT INTO nowhere VALUES (1)") {
                try Store.open(directory: directory, configuration: StoreFixture.configuration)
            }
        }
        #expect(try query(directory, schema) == before)
        #expect(try query(directory, "PRAGMA user_version") == ["\(Self.old)"])
        #expect(try query(directory, "SELECT body FROM notes") == ["Alone"])
        try Store.open(directory: directory, configuration: StoreFixture.configuration).close()
        #expect(try Store.check(directory: directory) == [])
    }

    @Test("A program without the migration refuses the upgraded database")
    func newer() throws {
        let directory = try closedDatabase()
        defer { StoreFixture.remove(directory) }
        try withStep { try Store.open(directory: directory, configuration: StoreFixture.configuration).close() }
        let error = #expect(throws: StoreError.self) { try Store.open(directory: directory) }
        #expect(error == .tooNew(found: Self.old + 1, known: Self.old))
        #expect(error?.description.contains(ProgramRelease.version) == true)
    }

    @Test("Three copies from before upgrades are kept, and without space for one nothing is changed")
    func copies() throws {
        let directory = try closedDatabase()
        defer { StoreFixture.remove(directory) }
        let database = OldSchema(directory + "/lectern.sqlite")
        for _ in 0..<5 {
            try database.removeLastStep()
            try Store.open(directory: directory, configuration: StoreFixture.configuration).close()
        }
        try database.removeLastStep()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/backups").count == 3)
        var configuration = StoreFixture.configuration
        configuration.backups.precedeUpgrades = true
        try FileManager.default.removeItem(atPath: directory + "/backups")
        try Data("in the way".utf8).write(to: URL(filePath: directory + "/backups"))
        let error = #expect(throws: StoreError.self) {
            try Store.open(directory: directory, configuration: configuration)
        }
        #expect(error?.description.contains("the copy before it failed") == true)
        #expect(try query(directory, "PRAGMA user_version") == ["\(Self.old - 1)"])
        configuration.backups.precedeUpgrades = false
        try Store.open(directory: directory, configuration: configuration).close()
        #expect(try query(directory, "PRAGMA user_version") == ["\(Self.old)"])
    }

    @Test(
        "A database of a development version is refused and left as it is, and the message names export and import",
        arguments: [
            "PRAGMA application_id = 0x4C656374; PRAGMA user_version = 33",
            "PRAGMA application_id = 0x4C656374; PRAGMA user_version = 7",
            "PRAGMA application_id = 0; PRAGMA user_version = 4",
            "ALTER TABLE deleted_readings RENAME TO doomed_readings",
            "ALTER TABLE bulk_changes RENAME TO bulk_note_changes",
            "ALTER TABLE streams ADD COLUMN policy TEXT",
            "CREATE INDEX entries_ahead ON entries (reading, received_at)",
            "CREATE INDEX attendances_member ON attendances (member)",
        ])
    func development(_ sql: String) throws {
        let directory = try closedDatabase()
        defer { StoreFixture.remove(directory) }
        let path = directory + "/lectern.sqlite"
        try TestDatabase.execute(path, sql)
        let before = FileManager.default.contents(atPath: path)
        let error = #expect(throws: StoreError.self) { try Store.open(directory: directory) }
        #expect(error == .development(path: path))
        #expect(error?.description.contains("`lectern export`") == true)
        #expect(error?.description.contains("`lectern import`") == true)
        #expect(FileManager.default.contents(atPath: path) == before)
    }
}
