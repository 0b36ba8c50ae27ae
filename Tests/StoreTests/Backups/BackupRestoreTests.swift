import CSQLite
import Foundation
import Glibc
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Restored and compacted databases", .ownThreads)
struct BackupRestoreTests {
    private let place = StoreFixture.newDirectory(on: .disk)
    private var file: String { place + "/copy" }
    private var target: String { place + "/data" }

    /// Copies a store with a book and two tokens to a file, and returns its log.
    private func backUp() throws -> (log: [String], epoch: LogEpoch) {
        let fixture = try StoreFixture(StoreFixture.durable)
        _ = try fixture.addReader("Ada")
        _ = try fixture.addReader("Ben")
        _ = try fixture.addBook()
        fixture.store.close()
        let copied = try Store.backUp(directory: fixture.directory, to: file)
        let log = try BackupTests.log(fixture.directory + "/lectern.sqlite", upTo: .max)
        #expect(try BackupTests.log(file, upTo: .max) == log && copied.seq == Int64(log.count))
        return (log, fixture.store.epoch)
    }

    private func number(_ path: String, _ sql: String) throws -> Int { Int(try BackupTests.rows(path, sql)[0]) ?? -1 }

    /// Returns the backup without its digest.
    private func content() throws -> Data {
        try #require(FileManager.default.contents(atPath: file)).dropLast(BackupDigest.byteCount)
    }

    /// Writes a backup with this content and its digest; a restore then decides by the content.
    private func write(_ content: Data) throws {
        var hash = SHA256()
        hash.update(Array(content).span.bytes)
        try (content + BackupDigest.text(of: hash)).write(to: URL(filePath: file))
    }

    @Test("A restored database has the earlier log, then the end of each token, another epoch, and no findings")
    func restored() throws {
        defer { StoreFixture.remove(place) }
        let (log, epoch) = try backUp()
        let restored = try BackupRestoration(file, into: target, keepsTokens: false).run()
        #expect(restored.seq == Int64(log.count) && restored.tokens == 2)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: target).sorted()
                == ["lectern.end", "lectern.lock", "lectern.sqlite"])
        let path = target + "/lectern.sqlite"
        #expect(try BackupTests.log(path, upTo: restored.seq) == log)
        #expect(try BackupTests.log(path, upTo: .max).count == log.count + 2)
        #expect(try number(path, "SELECT count(*) FROM tokens") == 0)
        #expect(try Store.check(directory: target) == [])
        var state = stat()
        #expect(stat(path, &state) == 0 && state.st_mode & 0o7777 == 0o600)
        let next = try StoreFixture(StoreFixture.durable, in: target)
        #expect(next.store.epoch != epoch && next.store.epochReason == nil)
        next.keepsDirectory.store(true, ordering: .relaxed)
    }

    @Test("A restore keeps the tokens valid where requested")
    func tokens() throws {
        defer { StoreFixture.remove(place) }
        let (log, _) = try backUp()
        _ = try BackupRestoration(file, into: target, keepsTokens: true).run()
        #expect(try number(target + "/lectern.sqlite", "SELECT count(*) FROM tokens") == 2)
        #expect(try BackupTests.log(target + "/lectern.sqlite", upTo: .max) == log)
    }

    @Test("A restore overwrites nothing, and does not mix with remains of another database")
    func refusals() throws {
        defer { StoreFixture.remove(place) }
        _ = try backUp()
        mkdir(target, 0o700)
        let path = target + "/lectern.sqlite"
        for name in [path, path + "-wal"] {
            try Data("x".utf8).write(to: URL(filePath: name))
            let error = #expect(throws: StoreError.self) {
                try BackupRestoration(file, into: target, keepsTokens: false).run()
            }
            #expect(error?.description.contains("Nothing was overwritten") == true)
            #expect(FileManager.default.contents(atPath: name) == Data("x".utf8))
            unlink(name)
        }
        let fixture = try StoreFixture(StoreFixture.durable)
        #expect(throws: StoreError.self) {
            try BackupRestoration(file, into: fixture.directory, keepsTokens: false).run()
        }
        #expect(try Store.backUp(directory: fixture.directory, to: place + "/other").seq == fixture.reads().head())
        fixture.store.close()
        #expect(throws: StoreError.self) { try Store.backUp(directory: fixture.directory, to: file) }
        try Data("y".utf8).write(to: URL(filePath: file + "-wal"))
        let error = #expect(throws: StoreError.self) {
            try BackupRestoration(file, into: target, keepsTokens: false).run()
        }
        #expect(error?.description.contains("write-ahead log") == true)
    }

    @Test(
        "A file that is no backup, damaged or foreign is refused, and nothing remains of it",
        arguments: [
            ("CREATE TRIGGER evil AFTER INSERT ON books BEGIN DELETE FROM tokens; END", "trigger evil"),
            (
                """
                PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_stat_evil', 'books', 0,
                'CREATE TRIGGER sqlite_stat_evil AFTER INSERT ON books BEGIN DELETE FROM tokens; END')
                """, "trigger sqlite_stat_evil"
            ),
            (
                """
                PRAGMA writable_schema = ON; UPDATE sqlite_schema
                SET sql = replace(sql, 'heartbeat  INTEGER', char(10) || '"--" INTEGER DEFAULT 7,' || char(10) || 'heartbeat INTEGER')
                WHERE name = 'streams'
                """, "table streams"
            ), ("CREATE VIEW evil AS SELECT 1", "view evil"), ("CREATE TABLE evil (a)", "table evil"),
            ("DROP INDEX tokens_reader", "index tokens_reader"), ("PRAGMA application_id = 7", "application id"),
            ("PRAGMA user_version = 9999", "9999"), ("UPDATE tokens SET reader = 99", "foreign key"),
            ("DROP TABLE changes", "not a Lectern backup"),
        ])
    func foreign(_ sql: String, _ given: String) throws {
        defer { StoreFixture.remove(place) }
        _ = try backUp()
        try content().write(to: URL(filePath: file))
        try TestDatabase.execute(file, sql)
        try write(try #require(FileManager.default.contents(atPath: file)))
        let error = #expect(throws: StoreError.self) {
            try BackupRestoration(file, into: target, keepsTokens: false).run()
        }
        #expect(error?.description.contains(given) == true, "\(String(describing: error))")
        #expect(access(target, F_OK) != 0, "the directory was not removed")
        mkdir(target, 0o700)
        #expect(throws: StoreError.self) { try BackupRestoration(file, into: target, keepsTokens: false).run() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target) == [])
        unlink(file)
        _ = try backUp()
        _ = try BackupRestoration(file, into: target, keepsTokens: false).run()
    }

    @Test("Bytes that are no database, or a broken one, are refused")
    func broken() throws {
        defer { StoreFixture.remove(place) }
        _ = try backUp()
        let whole = try content()
        var torn = whole
        torn.replaceSubrange(8192..<20_000, with: Data(repeating: 0xAB, count: 20_000 - 8192))
        for bytes in [Data(), Data("no database at all".utf8), whole.prefix(100), whole.prefix(30_000), torn] {
            try write(bytes)
            let error = #expect(throws: StoreError.self) {
                try BackupRestoration(file, into: target, keepsTokens: false).run()
            }
            #expect(error?.description.contains(file) == true, "\(String(describing: error))")
        }
    }

    @Test("A directory whose database is gone can be restored into, also with its old lock file")
    func afterLoss() throws {
        defer { StoreFixture.remove(place) }
        _ = try backUp()
        let fixture = try StoreFixture(StoreFixture.durable)
        for _ in 0..<9 { _ = try fixture.addBook() }
        fixture.store.close()
        unlink(fixture.directory + "/lectern.sqlite")
        _ = try BackupRestoration(file, into: fixture.directory, keepsTokens: false).run()
        let next = try Store.open(directory: fixture.directory, configuration: StoreFixture.durable)
        defer { next.close() }
        #expect(next.epoch != fixture.store.epoch && next.epochReason == nil)
    }

    @Test("A compacted database is shorter with the same rows and epoch, and starts like any other")
    func compacted() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        let text = String(repeating: "z", count: 450)
        let books = try (0..<400).map { try fixture.addBook(#"{"title": "\#($0) \#(text)"}"#) }
        for book in books.dropFirst(2) { try fixture.run(Command.deleteBook(book).by(fixture.administrator)) }
        fixture.store.close()
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        // Deleted rows are still in the log.
        try TestDatabase.execute(
            fixture.directory + "/lectern.sqlite", "DELETE FROM changes WHERE seq < (SELECT max(seq) FROM changes)")
        let database = fixture.directory + "/lectern.sqlite"
        let opened = try Store.open(directory: fixture.directory, configuration: StoreFixture.durable)
        opened.close()
        let tables = StoredTable.all.map(\.name)
        func all() throws -> [[String]] {
            try tables.filter { $0 != "meta" }.map { table in
                let columns = try BackupTests.rows(
                    database, "SELECT 'quote(' || name || ')' FROM pragma_table_info('\(table)')")
                return try BackupTests.rows(
                    database, "SELECT \(columns.joined(separator: " || ',' || ")) FROM \(table)")
            }
        }
        let rows = try all()
        let (before, after) = try Store.compact(directory: fixture.directory)
        #expect(after < before / 2 && after > 0)
        #expect(try all() == rows)
        let next = try StoreFixture(StoreFixture.durable, in: fixture.directory)
        #expect(next.store.epoch == opened.epoch && next.store.epochReason == nil)
        _ = try next.addBook()
        next.store.close()
        #expect(try Store.check(directory: fixture.directory).filter { !$0.contains("only in the log") } == [])
    }

    @Test("A database with an unclean end is compacted with its log, and keeps its epoch")
    func compactedAfterKill() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        let book = try fixture.addBook()
        fixture.store.close()
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        let database = fixture.directory + "/lectern.sqlite"
        do {
            let connection = try SQLiteConnection(path: database, flags: SQLITE_OPEN_READWRITE)
            connection.keepLogAtClose()
            try connection.execute("UPDATE books SET sort_title = sort_title")
        }
        #expect(access(database + "-wal", F_OK) == 0)
        #expect(unlink(fixture.directory + "/lectern.end") == 0)
        _ = try Store.compact(directory: fixture.directory)
        #expect(access(database + "-wal", F_OK) != 0)
        let next = try StoreFixture(StoreFixture.durable, in: fixture.directory)
        #expect(next.store.epoch == fixture.store.epoch && next.store.epochReason == nil)
        #expect(try next.reads().book(book) != nil)
    }

    @Test("A database that another program wrote to is compacted, and gets another epoch")
    func compactedStranger() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        fixture.store.close()
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        try TestDatabase.execute(fixture.directory + "/lectern.sqlite", "UPDATE readers SET name = 'Eve'")
        _ = try Store.compact(directory: fixture.directory)
        let next = try StoreFixture(StoreFixture.durable, in: fixture.directory)
        #expect(next.store.epoch != fixture.store.epoch)
    }
}
