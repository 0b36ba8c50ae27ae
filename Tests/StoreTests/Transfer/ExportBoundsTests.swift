import Foundation
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Delays caused by exports", .ownThreads)
struct ExportBoundsTests {
    private final class Answer: Sendable {
        let done = Semaphore()
        let result = Mutex<Result<ExportTemporaryFile, RequestError>?>(nil)

        func take(_ file: Result<ExportTemporaryFile, RequestError>) {
            result.withLock { $0 = file }
            done.signal()
        }

        func wait() throws -> ExportTemporaryFile {
            done.wait()
            return try result.withLock { $0.take()! }.get()
        }
    }

    @Test("While the log is too long no read begins, until the reads that hold it have ended and it is truncated")
    func longLog() throws {
        let fixture = try TestStore {
            $0.walBytesMax = 256 << 10
            $0.walIdleBytesMax = 64 << 10
        }
        let (isReading, mayEnd, first) = (Semaphore(), Semaphore(), Answer())
        let reading: ExportsInProgress.Writing = { reads, sink throws(RequestError) in
            try reads.read { () throws(RequestError) in
                _ = try reads.head()
                isReading.signal()
                mayEnd.wait()
                try sink([1])
            }
        }
        // A new database has a long log at first.
        #expect(
            eventually {
                (try? fixture.store.exports.begin(for: 1, isAdministrator: false, reading, completion: first.take))
                    != nil
            })
        isReading.wait()
        let text = String(repeating: "x", count: 450)
        for number in 0..<100 {
            try fixture.run(try Command.createBook(.whole(#"{"title": "\#(number) \#(text)"}"#)).by(fixture.viewer))
        }
        #expect(eventually { fixture.store.counters[.walBytes] > 256 << 10 })
        let error = #expect(throws: RequestError.self) {
            try fixture.store.exports.begin(for: 2, isAdministrator: true, { _, _ in }, completion: { _ in })
        }
        guard case .unavailable(.notReady, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        mayEnd.signal()
        #expect(try first.wait().count == 1)
        let second = Answer()
        #expect(
            eventually {
                (try? fixture.store.exports.begin(
                    for: 2, isAdministrator: true, { _, sink throws(RequestError) in try sink([1, 2]) },
                    completion: second.take)) != nil
            })
        #expect(try second.wait().count == 2)
    }

    @Test("Closing a store cancels an export's queries, also before its first line")
    func longStep() throws {
        let fixture = try TestStore()
        let (isReading, answer) = (Semaphore(), Answer())
        try fixture.store.exports.begin(
            for: 1, isAdministrator: false,
            { reads, sink throws(RequestError) in
                isReading.signal()
                let count = try reads.query { db throws(SQLiteError) in
                    try db.number(
                        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 400000000) SELECT count(*) FROM n"
                    )
                }
                try sink(Array("\(count ?? 0)".utf8))
            }, completion: answer.take)
        isReading.wait()
        fixture.store.close()
        // A completed export would have returned the number.
        let error = #expect(throws: RequestError.self) { try answer.wait() }
        #expect(
            error == .unavailable(.notReady, "The server is stopping. Try again in a moment.", retryAfterSeconds: 5))
    }

    @Test("While a reader is being deleted there is no export of everything, which would be incomplete")
    func leaving() throws {
        let fixture = try StoreFixture(
            { () -> StoreConfiguration in
                var configuration = StoreFixture.configuration
                configuration.deletedEntriesSliceMax = 1
                return configuration
            }())
        let zorbo = try fixture.addReader("Zorbo")
        let book = try fixture.addBook()
        for _ in 0..<300 { try fixture.addNote(book, nil, "words", zorbo) }
        try fixture.run(Command.deleteReader(zorbo.reader).by(fixture.administrator))
        let holding = Holding()
        let held = fixture.submit(holding.request)
        holding.waitUntilHeld()
        let reads = try fixture.reads()
        let error = #expect(throws: RequestError.self) { try reads.export(.everything) { _ throws(RequestError) in } }
        guard case .unavailable(.notReady, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        holding.letGo()
        _ = held.wait()
        #expect(eventually { (try? reads.export(.everything) { _ throws(RequestError) in }) != nil })
    }
}
