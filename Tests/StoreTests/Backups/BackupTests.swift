import CSQLite
import Foundation
import Glibc
import Measures
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Backups", .ownThreads)
struct BackupTests {
    /// Returns a store with a book whose log record has a number of bytes.
    func fixture(bytes: Int, _ configure: (inout StoreConfiguration) -> Void = { _ in }) throws -> StoreFixture {
        var configuration = StoreFixture.durable
        configure(&configuration)
        let fixture = try StoreFixture(configuration)
        _ = try fixture.addBook()
        try TestDatabase.execute(
            fixture.directory + "/lectern.sqlite",
            """
            UPDATE changes SET value = json_set(value, '$.title', printf('%.*c', \(bytes), 'x'))
                WHERE seq = (SELECT max(seq) FROM changes)
            """)
        return fixture
    }

    func wait(for backup: Backup?, _ fixture: StoreFixture) throws -> Backup {
        let id = try #require(backup).id
        #expect(eventually { fixture.backup(id)?.isOver ?? true })
        return try #require(fixture.backup(id))
    }

    /// Returns the path of a complete backup.
    static func path(_ backup: Backup, _ fixture: StoreFixture) -> String {
        "\(fixture.directory)/backups/\(backup.file)"
    }

    /// Returns the rows of a query, each as text.
    static func rows(_ path: String, _ sql: String) throws -> [String] {
        // A connection with write access removes the write-ahead log that it created.
        let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE)
        return try connection.statement(once: sql).all { $0.text(0) }
    }

    /// Returns the log up to a change, row by row.
    static func log(_ path: String, upTo seq: Int64) throws -> [String] {
        try rows(
            path,
            """
            SELECT concat FROM (SELECT seq, seq || '|' || command || '|' || at || '|' || kind || '|' || hex(resource) || '|' || scope || '|'
                || reader || '|' || operation || '|' || ifnull(value, '') || '|' || ifnull(before, '') AS concat
                FROM changes WHERE seq <= \(seq)) ORDER BY seq
            """)
    }

    @Test(
        "A backup beside writers is the log up to its change, without findings, complete, and readable only by its owner"
    )
    func online() throws {
        let fixture = try fixture(bytes: 4 << 20)
        let viewer = try fixture.administrator
        let isEnough = Atomic(false)
        let done = DispatchGroup()
        let written = Atomic(0)
        for writer in 0..<8 {
            done.enter()
            Thread {
                defer { done.leave() }
                var number = 0
                while !isEnough.load(ordering: .relaxed) {
                    number += 1
                    let body = "{\"title\": \"\(writer) \(number) \(String(repeating: "y", count: 450))\"}"
                    guard let book = try? Command.createBook(.whole(body)).by(viewer) else { return }
                    if case .success = fixture.submit(book).wait() { written.wrappingAdd(1, ordering: .relaxed) }
                }
            }.start()
        }
        #expect(eventually { written.load(ordering: .relaxed) > 100 })
        let before = try fixture.reads().head()
        let backup = try wait(for: fixture.store.backups.ask(), fixture)
        isEnough.store(true, ordering: .relaxed)
        done.wait()
        #expect(backup.state == .done, "\(backup)")
        let seq = try #require(backup.seq)
        #expect(seq >= before)
        let path = Self.path(backup, fixture)
        var state = stat()
        #expect(lstat(path, &state) == 0 && state.st_mode & 0o7777 == 0o600 && Int64(state.st_size) == backup.bytes)
        #expect(try Self.log(path, upTo: .max) == Self.log(fixture.directory + "/lectern.sqlite", upTo: seq))
        #expect(try Self.rows(path, "PRAGMA integrity_check") == ["ok"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory + "/backups") == [backup.file])
        #expect(fixture.store.backups.lastGood != nil)
    }

    @Test("Transactions that are rolled back after writing pages leave nothing in a copy, and do not delay it")
    func rollbacks() throws {
        let fixture = try fixture(bytes: 1 << 20)
        let viewer = try fixture.administrator
        let isEnough = Atomic(false)
        let done = DispatchSemaphore(value: 0)
        Thread {
            // Each atomic batch creates a book and fails: none of its rows may stay.
            while !isEnough.load(ordering: .relaxed) {
                guard let good = try? Command.createBook(.whole(#"{"title": "A"}"#)) else { break }
                let bad = Command.deleteBook(ResourceID(high: 1, low: 1))
                let lines = [good, bad].map { BatchCommand.success((command: $0, actor: CommandActor(viewer))) }
                let batch = Command(Batch(lines, isAtomic: true) { _ in [] })
                _ = fixture.submit(batch.by(viewer)).wait()
            }
            done.signal()
        }.start()
        let backup = try wait(for: fixture.store.backups.ask(), fixture)
        isEnough.store(true, ordering: .relaxed)
        done.wait()
        #expect(backup.state == .done, "\(backup)")
    }

    @Test(
        "The configured number of backups is kept, the oldest are deleted, and remains of a killed process are deleted at the start"
    )
    func retention() throws {
        let fixture = try fixture(bytes: 1000) { $0.backups.keepMax = 2 }
        let ids = try (0..<4).map { _ in try wait(for: fixture.store.backups.ask(), fixture).id }
        #expect(fixture.store.backups.all.map(\.id) == ids.suffix(2).reversed())
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        fixture.store.close()
        let folder = fixture.directory + "/backups"
        for name in ["lectern-20260101T000000000Z.part", "other.txt"] {
            close(creat(folder + "/" + name, 0o600))
        }
        let next = try StoreFixture(StoreFixture.durable, in: fixture.directory)
        #expect(next.store.backups.all.map(\.id) == ids.suffix(2).reversed())
        #expect(next.store.backups.lastGood != nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.count == 3 && left.contains("other.txt"))
    }

    @Test("Closing a store cancels its backup, and nothing of it remains")
    func closing() throws {
        let fixture = try fixture(bytes: 32 << 20)
        let backup = fixture.store.backups.ask()
        #expect(eventually { fixture.backup(backup.id)?.state != .waiting })
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        fixture.store.close()
        let cancelled = try #require(fixture.backup(backup.id))
        #expect(cancelled.state == .failed && cancelled.reason?.contains("the server stops") == true, "\(cancelled)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory + "/backups") == [])
        let next = try StoreFixture(StoreFixture.durable, in: fixture.directory)
        #expect(next.store.backups.all == [] && next.store.backups.lastGood == nil)
    }

    @Test("Backups follow the schedule, and a start soon after one makes none")
    func schedule() throws {
        let fixture = try fixture(bytes: 1000) { $0.backups.hours = 1 }
        #expect(eventually { fixture.store.backups.all.contains { $0.isOver } })
        #expect(fixture.store.backups.lastGood != nil, "\(fixture.store.backups.all)")
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        fixture.store.close()
        var configuration = StoreFixture.durable
        configuration.backups.hours = 1
        let next = try StoreFixture(configuration, in: fixture.directory)
        #expect(next.store.backups.all.count == 1)
        #expect(next.store.backups.state.withLock { $0.dueAt ?? 0 } > MonotonicClock.seconds() + 3000)
    }

    @Test(
        "A failed backup is logged as an error, counted and due again after ten minutes; a successful one is logged as information",
        arguments: [true, false])
    func notices(fails: Bool) throws {
        let directory = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(directory) }
        var configuration = StoreFixture.durable
        configuration.backups.hours = 24
        if fails { configuration.diskBytesFreeMin = .max / 2 }
        let received = Mutex<[OperatorNotice]>([])
        let store = try Store.open(
            directory: directory, configuration: configuration,
            report: { notice in received.withLock { $0.append(notice) } })
        defer { store.close() }
        let notice = { received.withLock { $0.first { $0.text.hasPrefix("backup 2") } } }
        #expect(eventually { notice() != nil })
        let text = try #require(notice()).text
        #expect(notice() == (fails ? .fault(text) : .info(text)))
        #expect(store.backups.counts == (fails ? (0, 1) : (1, 0)) && (store.backups.lastGood == nil) == fails)
        let seconds = store.backups.state.withLock { $0.dueAt ?? 0 } - MonotonicClock.seconds()
        #expect(fails ? (500...600).contains(seconds) : seconds > 80_000, "\(seconds)")
    }

    @Test("A backup directory that cannot be used is reported at the start, and a missing one is created")
    func directory() throws {
        let place = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(place) }
        for (directory, isFault) in [(place + "/missing/backups", true), (place + "/backups", false)] {
            var configuration = StoreFixture.durable
            configuration.backups.directory = directory
            let received = Mutex<[OperatorNotice]>([])
            let store = try Store.open(
                directory: place + "/data", configuration: configuration,
                report: { notice in received.withLock { $0.append(notice) } })
            defer { store.close() }
            let faults = received.withLock { $0.filter { if case .fault = $0 { true } else { false } } }
            #expect(faults.contains { $0.text.contains("cannot make backups: \(directory)") } == isFault)
            #expect((access(directory, F_OK) == 0) == !isFault)
        }
    }

    @Test("A copy with findings is no backup")
    func unsound() throws {
        let fixture = try fixture(bytes: 1000)
        fixture.store.close()
        let copy = try DatabaseCopyFile(creating: fixture.directory + "/copy")
        let database = Array(try #require(FileManager.default.contents(atPath: fixture.directory + "/lectern.sqlite")))
        try copy.write(database.span.bytes)
        try TestDatabase.execute(copy.path, "CREATE TRIGGER evil AFTER INSERT ON books BEGIN DELETE FROM tokens; END")
        #expect(throws: StoreError.self) { try copy.verify() }
    }
}

extension Backup {
    /// A Boolean value indicating whether the backup has ended.
    var isOver: Bool { state == .done || state == .failed }
}

extension StoreFixture {
    /// Returns the backup with an id.
    func backup(_ id: String) -> Backup? { store.backups.all.first { $0.id == id } }
}

@Suite("Ids of backups")
struct BackupIDTests {
    @Test("Scheduled backups continue at once after the clock was ahead, and at the end of the calendar")
    func ids() throws {
        let now = try #require(Instant("2026-11-22T17:05:01.123Z"))
        #expect(Backup.id(after: "", at: now) == "20261122T170501123Z")
        #expect(Backup.id(after: "20261122T170501122Z", at: now) == "20261122T170501123Z")
        #expect(Backup.id(after: "20261122T170501123Z", at: now) == "20261122T170501124Z")
        #expect(Backup.id(after: "20991231T235959999Z", at: now) == "21000101T000000000Z")
        #expect(Backup.id(after: "99991231T235959999Z", at: now) == "20261122T170501123Z")
    }
}
