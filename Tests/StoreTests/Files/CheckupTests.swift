import CSQLite
import Foundation
import Glibc
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("The check after an unclean end", .serialized, .ownThreads)
struct CrashCheckTests {
    private let directory = StoreFixture.newDirectory(on: .disk)
    private var log: String { directory + "/lectern.sqlite-wal" }

    private func makeDatabase() throws {
        let fixture = try StoreFixture(StoreFixture.durable, in: directory)
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        for index in 0..<300 { _ = try fixture.addBook("{\"title\": \"T\(index)\"}") }
    }

    /// Overwrites a page that no start reads.
    private func damage() throws {
        let database = directory + "/lectern.sqlite"
        let connection = try SQLiteConnection(path: database, flags: SQLITE_OPEN_READWRITE)
        let page = try connection.number("SELECT rootpage FROM sqlite_schema WHERE name = 'books_updated_at'") ?? 0
        let file = open(database, O_RDWR)
        defer { close(file) }
        pwrite(file, [UInt8](repeating: 0xA5, count: 4096), 4096, off_t((page - 1) * 4096))
    }

    @Test("A clean end leaves nothing to check, and later damage is found on demand")
    func clean() throws {
        defer { StoreFixture.remove(directory) }
        try makeDatabase()
        #expect(access(log, F_OK) != 0)
        try damage()
        #expect(try !Store.check(directory: directory).isEmpty)
        let store = try Store.open(directory: directory, configuration: StoreFixture.durable)
        #expect(store.crashCheck.state == .ok)
        store.close()
    }

    @Test("After an unclean end the file is checked once while the store is open")
    func unclean() throws {
        defer { StoreFixture.remove(directory) }
        try makeDatabase()
        #expect(FileManager.default.createFile(atPath: log, contents: nil))
        let store = try Store.open(directory: directory, configuration: StoreFixture.durable)
        #expect(eventually { store.crashCheck.state == .ok })
        store.close()
        #expect(access(log, F_OK) != 0)
    }

    @Test("An unfinished check is still due at the next start")
    func unfinished() throws {
        defer { StoreFixture.remove(directory) }
        try makeDatabase()
        for _ in 0..<5 {
            #expect(FileManager.default.createFile(atPath: log, contents: nil))
            let store = try Store.open(directory: directory, configuration: StoreFixture.durable)
            store.close()
            #expect((access(log, F_OK) != 0) == (store.crashCheck.state == .ok))
        }
    }

    @Test("Damage found by the check ends the process, with advice")
    func damaged() throws {
        defer { StoreFixture.remove(directory) }
        try makeDatabase()
        try damage()
        #expect(FileManager.default.createFile(atPath: log, contents: nil))
        let given = Mutex<String?>(nil)
        let store = try Store.open(directory: directory, configuration: StoreFixture.durable) { message in
            given.withLock { $0 = message }
            while true { pause() }
        }
        FaultTests.strand(store)
        #expect(eventually { given.withLock { $0 != nil } })
        #expect(given.withLock { $0 }?.contains("restore a backup") == true)
    }
}
