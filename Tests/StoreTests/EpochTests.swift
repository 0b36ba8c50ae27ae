import CSQLite
import Foundation
import Glibc
import Model
import Testing

@testable import Store

@Suite("The epoch belongs to one file")
struct EpochTests {
    let directory = Shop.newDirectory()
    private var database: String { directory + "/lectern.sqlite" }

    /// Opens the store, does something with it, and closes it; its epoch, and why it is a new one.
    @discardableResult
    private func live(_ body: (Store) throws -> Void = { _ in }) throws -> (epoch: Epoch, reason: String?) {
        let store = try Store.open(directory: directory, configuration: Shop.configuration)
        defer { store.close() }
        try store.ensureAdministrator()
        try body(store)
        return (store.epoch, store.epochReason)
    }

    private func addBooks(_ count: Int, _ store: Store) throws {
        let viewer = try #require(try store.makeReadConnection().localAdministrator())
        for _ in 0..<count {
            let done = Latch()
            let book = try Command.createBook(.whole(#"{"title": "A"}"#)).by(viewer)
            _ = store.submit(Submission(book) { _ in done.open() })
            done.wait()
        }
    }

    private func copy(_ source: String, _ target: String) throws {
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: source, toPath: target)
    }

    @Test("the same file has the same epoch at each start")
    func same() throws {
        defer { Shop.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        let second = try live()
        #expect(first.reason == nil && second.reason == nil && first.epoch == second.epoch)
    }

    @Test("a copy that was put in the place of the file has another epoch, once")
    func copied() throws {
        defer { Shop.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        try copy(database, directory + "/filler")
        rename(directory + "/filler", database)
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason?.contains("copy") == true)
        let third = try live()
        #expect(third.epoch == second.epoch && third.reason == nil)
    }

    @Test("a backup that was written into the very file has another epoch, because it ends before what was served")
    func restoredInPlace() throws {
        defer { Shop.remove(directory) }
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

    @Test("a whole directory that was copied back over itself has another epoch, also with its lock")
    func restoredWhole() throws {
        defer { Shop.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        let files = ["lectern.sqlite", "lectern.lock"].map { directory + "/" + $0 }
        let backup = try files.map { try #require(FileManager.default.contents(atPath: $0)) }
        try live { try addBooks(2, $0) }
        for (path, bytes) in zip(files, backup) {
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: bytes)
            try file.close()
        }
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason?.contains("written") == true)
        #expect(try live().reason == nil)
    }

    @Test("where the lock is gone nobody knows what was served, and the epoch is another one")
    func withoutLock() throws {
        defer { Shop.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        try FileManager.default.removeItem(atPath: directory + "/lectern.lock")
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason?.contains("lectern.lock") == true)
        #expect(try live().reason == nil)
    }

    @Test("a check between two starts leaves the epoch")
    func checked() throws {
        defer { Shop.remove(directory) }
        let first = try live { try addBooks(3, $0) }
        #expect(try Store.check(directory: directory).isEmpty)
        let second = try live()
        #expect(second.epoch == first.epoch && second.reason == nil)
    }

    @Test("a database of before, which does not say which file it is, gets another epoch, once")
    func older() throws {
        defer { Shop.remove(directory) }
        let first = try live()
        try TestDatabase.execute(database, "DELETE FROM meta WHERE name <> 'epoch'")
        let second = try live()
        #expect(second.epoch != first.epoch && second.reason != nil)
        #expect(try live().epoch == second.epoch)
    }
}
