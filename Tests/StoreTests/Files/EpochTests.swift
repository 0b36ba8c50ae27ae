import CSQLite
import Foundation
import Glibc
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("The epoch belongs to one file")
struct EpochTests {
    let directory = StoreFixture.newDirectory(on: .disk)
    private var database: String { directory + "/lectern.sqlite" }

    /// Opens the store, runs a closure, and closes it. Returns its epoch and the reason for a new one.
    @discardableResult
    private func live(_ body: (Store) throws -> Void = { _ in }) throws -> (epoch: LogEpoch, reason: String?) {
        let store = try Store.open(directory: directory, configuration: StoreFixture.durable)
        defer { store.close() }
        try store.ensureAdministrator()
        try body(store)
        return (store.epoch, store.epochReason)
    }

    private func addBooks(_ count: Int, _ store: Store) throws {
        let viewer = try #require(try store.makeReadConnection().localAdministrator())
        for _ in 0..<count {
            let done = Semaphore()
            let book = try Command.createBook(.whole(#"{"title": "A"}"#)).by(viewer)
            _ = store.submit(SubmittedCommand(book) { _ in done.signal() })
            done.wait()
        }
    }

    private func copy(_ source: String, _ target: String) throws {
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: source, toPath: target)
    }

    @Test("The same file has the same epoch at each start")
    func same() throws {
        defer { StoreFixture.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        let second = try live()
        #expect(first.reason == nil && second.reason == nil && first.epoch == second.epoch)
    }

    @Test("A copy in place of the file gets another epoch, once")
    func copied() throws {
        defer { StoreFixture.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        try copy(database, directory + "/filler")
        rename(directory + "/filler", database)
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason?.contains("copy") == true)
        let third = try live()
        #expect(third.epoch == second.epoch && third.reason == nil)
    }

    @Test("A backup written into the same file gets another epoch, because it ends before the served changes")
    func restoredInPlace() throws {
        defer { StoreFixture.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        let backup = try #require(FileManager.default.contents(atPath: database))
        try live { try addBooks(2, $0) }
        let file = try #require(FileHandle(forUpdatingAtPath: database))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: backup)
        try file.close()
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason?.contains("served") == true)
        #expect(try live().reason == nil)
    }

    @Test(
        "A whole directory that was copied over itself gets another epoch, also with its lock and times",
        arguments: [false, true])
    func restoredWhole(keepsTimes: Bool) throws {
        defer { StoreFixture.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        let files = ["lectern.sqlite", "lectern.lock", "lectern.end"].map { directory + "/" + $0 }
        let backup = try files.map { path in
            var state = stat()
            #expect(stat(path, &state) == 0)
            return (bytes: try #require(FileManager.default.contents(atPath: path)), state: state)
        }
        try live { try addBooks(2, $0) }
        for (path, old) in zip(files, backup) {
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: old.bytes)
            // This is what `cp -a` does.
            if keepsTimes {
                let times = [old.state.st_atim, old.state.st_mtim]
                #expect(futimens(file.fileDescriptor, times) == 0)
            }
            try file.close()
        }
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason?.contains("written") == true)
        #expect(try live().reason == nil)
    }

    @Test("chmod, chown, a hard link, and a rename and back keep the epoch")
    func metadata() throws {
        defer { StoreFixture.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        let changes: [(String) -> Int32] = [
            { chmod($0, 0o640) }, { chown($0, geteuid(), getegid()) },
            { link($0, $0 + ".link") | unlink($0 + ".link") },
            { rename($0, $0 + ".moved") | rename($0 + ".moved", $0) },
        ]
        for change in changes {
            for name in ["lectern.sqlite", "lectern.lock", "lectern.end"] {
                #expect(change(directory + "/" + name) == 0)
            }
            let next = try live()
            #expect(next.epoch == first.epoch && next.reason == nil, "\(next.reason ?? "")")
        }
    }

    @Test("A write by another program gets another epoch, once, also if the file's length and header stay")
    func written() throws {
        defer { StoreFixture.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        let header = try #require(FileManager.default.contents(atPath: database)).prefix(100)
        try TestDatabase.execute(database, "UPDATE books SET sort_title = 'b' || substr(sort_title, 2)")
        #expect(try #require(FileManager.default.contents(atPath: database)).prefix(100) == header)
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason?.contains("written") == true)
        #expect(try live().reason == nil)
    }

    @Test("Without the lock file the served changes are unknown, and the epoch is another one")
    func withoutLock() throws {
        defer { StoreFixture.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        try FileManager.default.removeItem(atPath: directory + "/lectern.lock")
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason?.contains("lectern.lock") == true)
        #expect(try live().reason == nil)
    }

    @Test("A check between two starts keeps the epoch")
    func checked() throws {
        defer { StoreFixture.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        #expect(try Store.check(directory: directory).isEmpty)
        let second = try live()
        #expect(second.epoch == first.epoch && second.reason == nil)
    }

    @Test("A database that does not identify its file gets another epoch, once")
    func older() throws {
        defer { StoreFixture.remove(directory) }
        let first = try live()
        try TestDatabase.execute(database, "DELETE FROM meta WHERE name <> 'epoch'")
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason != nil)
        #expect(try live().epoch == second.epoch)
    }
}
