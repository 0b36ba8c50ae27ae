import CSQLite
import Foundation
import Glibc
import SharedByTests
import Testing

@testable import Store

@Suite("The buffer of the write-ahead log", .serialized)
struct LogWriteBufferTests {
    init() { FaultyDisk.install }

    /// Opens a database whose cache is smaller than the transactions, so that SQLite would write pages before a commit.
    private func open(_ path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = FULL; PRAGMA cache_size = 10; PRAGMA wal_autocheckpoint = 0")
        try connection.execute("CREATE TABLE IF NOT EXISTS rows (key INTEGER PRIMARY KEY, value BLOB NOT NULL)")
        LogWriteBuffer.install(in: connection)
        return connection
    }

    private func contents(_ connection: SQLiteConnection) throws -> [Int64: Int64] {
        let rows = try connection.statement("SELECT key, length(value) + 3 * unicode(hex(value)) FROM rows").all {
            ($0.integer(0), $0.integer(1))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Returns the rows that a copy of the files has, as after a power loss at this moment.
    private func recovered(_ path: String) throws -> [Int64: Int64] {
        let copy = StoreFixture.newDirectory()
        defer { StoreFixture.remove(copy) }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + "/copy" + suffix)
        }
        let connection = try SQLiteConnection(path: copy + "/copy", flags: SQLITE_OPEN_READWRITE)
        let damage = try connection.statement("PRAGMA integrity_check").first { $0.text(0) }
        #expect(damage == "ok")
        return try contents(connection)
    }

    private func change(_ connection: SQLiteConnection, _ random: inout SeededGenerator) throws {
        for _ in 0..<Int.random(in: 1...30, using: &random) {
            let (key, size) = (Int.random(in: 1...300, using: &random), Int.random(in: 1...9000, using: &random))
            if Int.random(in: 0..<4, using: &random) == 0 {
                try connection.execute("DELETE FROM rows WHERE key = \(key)")
            } else {
                try connection.execute("INSERT OR REPLACE INTO rows VALUES (\(key), randomblob(\(size)))")
            }
        }
    }

    // With a plain `SAVEPOINT`, seeds 2 and 3 lose commits.
    @Test("Each commit is in the files when it has ended, and no rolled back change is", arguments: 1...4)
    func histories(seed: UInt64) throws {
        let directory = StoreFixture.newDirectory()
        defer { StoreFixture.remove(directory) }
        let path = directory + "/file"
        let connection = try open(path)
        let other = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READONLY)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let before = try contents(connection)
            try connection.beginWriting()
            try change(connection, &random)
            try connection.beginSavepoint("SAVEPOINT part")
            let kept = try contents(connection)
            try change(connection, &random)
            let isUndone = Bool.random(using: &random)
            if isUndone { try connection.execute("ROLLBACK TO part") }
            try connection.execute("RELEASE part")
            if isUndone { #expect(try contents(connection) == kept) }
            let expected = try contents(connection)
            #expect(try contents(other) == before)
            let isCommitted = Int.random(in: 0..<4, using: &random) > 0
            try connection.execute(isCommitted ? "COMMIT" : "ROLLBACK")
            let now = isCommitted ? expected : before
            #expect(try contents(connection) == now)
            #expect(try contents(other) == now)
            #expect(try recovered(path) == now)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            case 1: try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            default: break
            }
        }
    }

    @Test("A transaction on thirty pages is written with one call, and one that is rolled back with none")
    func calls() throws {
        let directory = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(directory) }
        let connection = try open(directory + "/file")
        try connection.execute("PRAGMA cache_size = 1000; INSERT INTO rows VALUES (1, zeroblob(100000))")
        let before = FaultyDisk.writes(in: directory)
        try connection.execute("UPDATE rows SET value = randomblob(100000)")
        #expect(FaultyDisk.writes(in: directory) == before + 1)
        try connection.execute("BEGIN; UPDATE rows SET value = randomblob(100000); ROLLBACK")
        #expect(FaultyDisk.writes(in: directory) == before + 1)
    }

    @Test("A transaction that the disk refuses is rolled back whole, and the next one is written")
    func refused() throws {
        let directory = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(directory) }
        let path = directory + "/file"
        let connection = try open(path)
        var random = SeededGenerator(seed: 1)
        for round in 0..<20 {
            try connection.execute("INSERT INTO rows VALUES (\(1000 + round), x'00')")
            let before = try contents(connection)
            FaultyDisk.set(.full, in: directory)
            #expect(throws: SQLiteError.self) {
                try connection.execute("BEGIN")
                try change(connection, &random)
                try connection.execute("UPDATE rows SET value = randomblob(5000); COMMIT")
            }
            try connection.rollBack()
            FaultyDisk.set(nil, in: directory)
            #expect(try contents(connection) == before)
            #expect(try recovered(path) == before)
        }
    }
}
