import CSQLite
import Foundation
import Glibc
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("A data directory")
struct DirectoryTests {
    private let directory = StoreFixture.newDirectory(on: .disk)
    private var database: String { directory + "/lectern.sqlite" }

    private func start(creates: Bool = true) throws -> Store {
        try Store.open(directory: directory, configuration: StoreFixture.durable, creates: creates)
    }

    private func makeDatabase() throws {
        let store = try start()
        try store.ensureAdministrator()
        store.close()
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: directory + "/" + name, atomically: false, encoding: .utf8)
    }

    @Test(
        "A database that is missing or empty is not created again",
        arguments: ["lectern.sqlite-wal", "lectern.lock", "ballast"], [true, false])
    func lost(_ name: String, isEmpty: Bool) throws {
        defer { StoreFixture.remove(directory) }
        if isEmpty { try write("lectern.sqlite", "") }
        try write(name, "1234\n")
        let error = #expect(throws: StoreError.self) { try start() }
        #expect(error == .lost(directory: directory, remains: [directory + "/" + name]))
        #expect(error?.description.contains("restore a backup") == true)
        #expect(throws: StoreError.lost(directory: directory, remains: [directory + "/" + name])) {
            try Store.check(directory: directory)
        }
        #expect((FileManager.default.contents(atPath: database)?.count ?? 0) == 0, "nothing was made")
    }

    @Test("After an interrupted first start the next one creates the database")
    func brokenOff() throws {
        defer { StoreFixture.remove(directory) }
        try write("lectern.lock", "")
        try write("lectern.sqlite", "")
        try makeDatabase()
        #expect(try Store.check(directory: directory).isEmpty)
    }

    @Test("A store that may not create a directory creates nothing, and says how to create one")
    func nothing() throws {
        defer { StoreFixture.remove(directory) }
        let error = #expect(throws: StoreError.self) { try start(creates: false) }
        #expect(error == .nothing(directory: directory))
        #expect(error?.description.contains("lectern serve") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        let missing = directory + "/typo"
        #expect(throws: StoreError.nothing(directory: missing)) {
            try Store.open(directory: missing, configuration: StoreFixture.durable, creates: false)
        }
        #expect(access(missing, F_OK) != 0)
        try makeDatabase()
        try start(creates: false).close()
    }

    static let strangers = [
        "PRAGMA application_id = 77", "CREATE TABLE orders (id)", "PRAGMA user_version = -5", "PRAGMA user_version = 2",
    ]

    @Test("A database of another program is refused and left unchanged", arguments: strangers)
    func foreign(_ sql: String) throws {
        defer { StoreFixture.remove(directory) }
        // SQLite would leave a file without a table empty.
        try write("lectern.sqlite", "")
        try TestDatabase.execute(database, "CREATE TABLE notes (id); DROP TABLE notes; \(sql)")
        let before = FileManager.default.contents(atPath: database)
        let error = #expect(throws: StoreError.self) { try start() }
        guard case .foreign(database, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(FileManager.default.contents(atPath: database) == before)
    }

    @Test("A negative schema version is refused")
    func negative() throws {
        defer { StoreFixture.remove(directory) }
        try makeDatabase()
        try TestDatabase.execute(database, "PRAGMA user_version = -5")
        let error = #expect(throws: StoreError.self) { try start() }
        #expect(error == .foreign(path: database, reason: "its schema version is -5"))
    }

    @Test(
        "A database path that is a directory is reported with its path",
        arguments: ["lectern.sqlite", "ballast", "lectern.lock"])
    func directories(_ name: String) throws {
        defer { StoreFixture.remove(directory) }
        if name != "lectern.sqlite" { try makeDatabase() }
        unlink(directory + "/" + name)
        mkdir(directory + "/" + name, 0o700)
        defer { rmdir(directory + "/" + name) }
        let error = #expect(throws: StoreError.self) { try start() }
        guard case .file(directory + "/" + name, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A database locked by another program is not called damaged")
    func locked() throws {
        defer { StoreFixture.remove(directory) }
        try makeDatabase()
        let other = try SQLiteConnection(path: database, flags: SQLITE_OPEN_READWRITE)
        try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        let error = #expect(throws: StoreError.self) { try start() }
        #expect(error?.description.contains("another program") == true)
        #expect(error?.description.contains("damaged") == false)
    }

    @Test("While another program locks the database, a write is refused for now, and nothing else")
    func busy() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        let other = try SQLiteConnection(path: fixture.directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        sqlite3_busy_timeout(other.handle, 10_000)
        try other.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: RequestError.self) { try fixture.addBook() }
        guard case .unavailable(.databaseLocked, _, retryAfterSeconds: 1)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try other.execute("COMMIT")
        let head = try fixture.reads().head()
        _ = fixture.takeChanges()
        _ = try fixture.addBook()
        #expect(fixture.takeChanges().map(\.seq) == [head + 1])
    }

    @Test(
        "A read or write that another program's locks prevent can be repeated",
        arguments: [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_BUSY | 1 << 8])
    func isLocked(code: Int32) {
        guard case .unavailable(.databaseLocked, _, 1) = SQLiteError(code: code, message: "").asRequestError else {
            Issue.record("\(code) is not taken for a lock")
            return
        }
    }

    @Test("A temporary read failure of the disk is not called damage")
    func unreadable() throws {
        FaultyDisk.install
        defer { StoreFixture.remove(directory) }
        try makeDatabase()
        FaultyDisk.set(.unreadable, in: directory)
        defer { FaultyDisk.set(nil, in: directory) }
        for look in [{ _ = try start() }, { _ = try Store.check(directory: directory) }] as [() throws -> Void] {
            let error = #expect(throws: StoreError.self) { try look() }
            #expect(error?.description.contains("This is not always damage") == true)
            #expect(error?.description.contains(database) == true)
        }
        FaultyDisk.set(nil, in: directory)
        try start().close()
    }

    @Test("A reached quota is a full disk")
    func quota() throws {
        FaultyDisk.install
        let fixture = try StoreFixture(StoreFixture.durable)
        FaultyDisk.set(.quota, in: fixture.directory)
        defer { FaultyDisk.set(nil, in: fixture.directory) }
        #expect(throws: RequestError.outOfSpace) { try fixture.addBook() }
        #expect(fixture.store.isOutOfSpace)
        FaultyDisk.set(nil, in: fixture.directory)
        #expect(eventually { !fixture.store.isOutOfSpace })
        _ = try fixture.addBook()
    }

    @Test(
        "Files that are deleted, moved or replaced under a running store stop it within two seconds",
        arguments: ["lectern.sqlite", "lectern.sqlite-wal", "lectern.sqlite-shm", "lectern.lock"],
        ["delete", "replace"])
    func pulled(_ name: String, _ how: String) throws {
        let directory = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(directory) }
        let given = Mutex<String?>(nil)
        let store = try Store.open(directory: directory, configuration: StoreFixture.durable) { message in
            given.withLock { $0 = message }
            while true { pause() }
        }
        FaultTests.strand(store)
        let path = directory + "/" + name
        if how == "delete" {
            unlink(path)
        } else {
            try FileManager.default.copyItem(atPath: path, toPath: directory + "/filler")
            rename(directory + "/filler", path)
        }
        #expect(eventually { given.withLock { $0 != nil } })
        #expect(given.withLock { $0 }?.contains(path) == true)
    }

    @Test("The free disk space is known before the first request")
    func scenario() throws {
        let directory = StoreFixture.newDirectory()
        defer { StoreFixture.remove(directory) }
        let store = try Store.open(directory: directory, configuration: StoreFixture.configuration)
        // The writer's own first check comes a second later.
        #expect(store.counters[.diskBytesFree] > 0 && store.counters[.databaseBytes] > 0)
        store.close()
    }
}
