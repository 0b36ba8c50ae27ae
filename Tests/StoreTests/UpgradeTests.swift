import CSQLite
import Foundation
import Glibc
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

/// From each schema that a database in the world may have. Steps were written over only before anybody had them: 1 and 2 until
/// "List a club's notes in the order of an index", 7 until "Tell a directory that was copied back over itself", 11 until "Find a common word
/// in a rare language by both"; nobody has a database of what they were before.
@Suite("Upgrades", .ownThreads)
struct UpgradeTests {
    /// What readers and clubs leave behind, and at the end a book: a directory that is made once, and then copied.
    private static let original: Result<String, any Error> = Result {
        var story = try Story(seed: 7)
        try story.tell(commands: 200)
        let shop = story.shop
        for viewer in story.viewers {
            let club = try shop.addClub(viewer)
            let book = try shop.addBook()
            try shop.addNote(book, club, "Together", viewer)
            try shop.addNote(book, nil, "Alone", viewer)
        }
        _ = try shop.addBook()
        shop.keepsDirectory.store(true, ordering: .relaxed)
        shop.store.close()
        return shop.directory
    }

    /// The same as of a schema; the directory.
    private func left(by version: Int) throws -> String {
        let directory = Shop.newDirectory()
        let database = directory + "/lectern.sqlite"
        for name in ["lectern.sqlite", "lectern.lock"] {
            try FileManager.default.copyItem(
                atPath: try Self.original.get() + "/" + name, toPath: directory + "/" + name)
        }
        // It is the file that was served last, and no copy.
        try ServedFile(path: database)?.note(in: Connection(path: database, flags: SQLITE_OPEN_READWRITE))
        EndRecord.write(in: DataDirectory(path: directory))
        try OldSchema(database).turn(to: version)
        return directory
    }

    private func rows(_ directory: String, _ table: String, _ columns: String) throws -> [String] {
        try BackupTests.rows(directory + "/lectern.sqlite", "SELECT \(columns) FROM \(table) ORDER BY 1")
    }

    /// The tables whose rows are as they were, with what columns they had.
    private func tables(_ directory: String) throws -> [(name: String, columns: String)] {
        let database = directory + "/lectern.sqlite"
        let names = try BackupTests.rows(
            database,
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%words%'
                AND name NOT IN ('meta', 'clock_marks')
            """)
        return try names.map { name in
            let columns = try BackupTests.rows(
                database, "SELECT 'quote(' || name || ')' FROM pragma_table_info('\(name)') WHERE name NOT LIKE 'sort%'"
            )
            return (name, columns.joined(separator: " || ',' || "))
        }
    }

    @Test(
        "A database of each schema that there was becomes one of this, sound, with a copy of what it was beside it",
        arguments: TestBudget.isLong
            ? Array(1..<Int(Schema.newest)) : [1, 6, 7, 12, 13, 16, OldSchema.runs - 1, Int(Schema.newest) - 1])
    func each(_ version: Int) throws {
        let directory = try left(by: version)
        defer { Shop.remove(directory) }
        let before = try tables(directory).map { try rows(directory, $0.name, $0.columns) }
        let tables = try tables(directory)
        let said = Mutex<[String]>([])
        let store = try Store.open(
            directory: directory, configuration: Shop.configuration,
            say: { notice in said.withLock { $0.append(notice.text) } })
        #expect(eventually { store.counters.searchPercent == 100 })
        store.close()
        #expect(try Store.check(directory: directory) == [])
        #expect(try BackupTests.rows(directory + "/lectern.sqlite", "PRAGMA user_version") == ["\(Schema.newest)"])
        // The seventh step begins the log anew, and fills in what readings had of their books.
        if version >= 7 {
            for (table, old) in zip(tables, before) {
                #expect(try rows(directory, table.name, table.columns) == old, "\(table.name)")
            }
        }
        if version >= 13 { #expect(store.epochReason == nil) }
        let copies = try FileManager.default.contentsOfDirectory(atPath: directory + "/backups")
        #expect(copies.count == 1 && copies[0].hasPrefix("upgrade-"))
        #expect(
            said.withLock { $0 }.contains {
                $0.contains(copies[0]) && $0.contains("schema \(version) becomes \(Schema.newest)")
            })
        let copy = directory + "/backups/" + copies[0]
        #expect(try BackupTests.rows(copy, "PRAGMA user_version") == ["\(version)"])
        _ = try Restore(copy, into: directory + "/again", keepsTokens: false).run()
        #expect(try Store.check(directory: directory + "/again") == [])
    }

    @Test("Three copies from before upgrades are kept, and where there is room for none nothing is changed")
    func copies() throws {
        let directory = try left(by: 16)
        defer { Shop.remove(directory) }
        let database = directory + "/lectern.sqlite"
        for _ in 0..<5 {
            try Store.open(directory: directory, configuration: Shop.configuration).close()
            try OldSchema(database).turn(to: 16)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/backups").count == 3)
        var configuration = Shop.configuration
        configuration.ballastBytes = 4096
        configuration.backups.precedeUpgrades = true
        try FileManager.default.removeItem(atPath: directory + "/backups")
        try Data("in the way".utf8).write(to: URL(filePath: directory + "/backups"))
        let error = #expect(throws: StoreError.self) {
            try Store.open(directory: directory, configuration: configuration)
        }
        #expect(error?.description.contains("no copy could be made before") == true)
        #expect(try BackupTests.rows(database, "PRAGMA user_version") == ["16"])
        configuration.backups.precedeUpgrades = false
        try Store.open(directory: directory, configuration: configuration).close()
        #expect(try BackupTests.rows(database, "PRAGMA user_version") == ["\(Schema.newest)"])
    }

    @Test("A database of a newer program says by which it was written last")
    func downgrade() throws {
        let shop = try Shop()
        shop.store.close()
        try TestDatabase.execute(
            shop.directory + "/lectern.sqlite",
            "PRAGMA user_version = 99; UPDATE meta SET value = 12034056 WHERE name = 'program'")
        let error = #expect(throws: StoreError.self) { try Store.open(directory: shop.directory) }
        #expect(error == .tooNew(found: 99, known: Schema.newest, writtenBy: "12.34.56"))
        #expect(
            error?.description.contains("lectern 12.34.56") == true
                && error?.description.contains(Release.version) == true)
    }
}
