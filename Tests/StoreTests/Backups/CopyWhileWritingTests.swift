import CSQLite
import Foundation
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Copies beside writers", .ownThreads)
struct CopyWhileWritingTests {
    @Test("A copy beside commits, rollbacks and checkpoints is the database as it was at its beginning")
    func snapshot() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        let text = String(repeating: "x", count: 450)
        for number in 0..<300 { _ = try fixture.addBook(#"{"title": "\#(number) \#(text)"}"#) }
        let before = try fixture.reads().head()
        let file = try DatabaseCopyFile(creating: fixture.directory + "/copy")
        let source = try SQLiteConnection(path: fixture.directory + "/lectern.sqlite", flags: SQLITE_OPEN_READONLY)
        let pauses = Atomic(0)
        let viewer = try fixture.administrator
        try file.copy(of: source) {
            pauses.wrappingAdd(1, ordering: .relaxed)
            for number in 0..<20 {
                guard let book = try? Command.createBook(.whole(#"{"title": "Later \#(number)"}"#)) else {
                    return false
                }
                _ = fixture.submit(book.by(viewer)).wait()
            }
            return true
        }
        #expect(pauses.load(ordering: .relaxed) > 1)
        #expect(try file.verify() == before && fixture.reads().head() > before)
        #expect(
            try BackupTests.log(file.path, upTo: .max)
                == BackupTests.log(fixture.directory + "/lectern.sqlite", upTo: before))
    }

    @Test("A copy that is no longer wanted ends with the reason")
    func cancelled() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        let file = try DatabaseCopyFile(creating: fixture.directory + "/copy")
        let source = try SQLiteConnection(path: fixture.directory + "/lectern.sqlite", flags: SQLITE_OPEN_READONLY)
        let error = #expect(throws: StoreError.self) { try file.copy(of: source) { false } }
        #expect(error?.description.contains("the server stops") == true)
        #expect(source.isIdle)
    }

    @Test("A copy leaves the database its reserve of disk space, where both are on one disk")
    func scenario() throws {
        let fixture = try StoreFixture(
            { () -> StoreConfiguration in
                var configuration = StoreFixture.durable
                configuration.diskBytesFreeMin = .max / 2
                return configuration
            }())
        let backup = fixture.store.backups.ask()
        #expect(eventually { fixture.backup(backup.id)?.isOver ?? true })
        #expect(fixture.backup(backup.id)?.reason?.contains("must stay free") == true)
        #expect(StoreConfiguration().diskBytesSpared == 136 << 20)
    }
}
