import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Concurrent exports", .ownThreads)
struct ExportSlotTests {
    /// Begins an export of a few bytes, and waits until it is written.
    private func export(_ store: Store, of reader: Int64, isAdministrator: Bool = false) throws -> ExportTemporaryFile {
        let done = Semaphore()
        let result = Mutex<Result<ExportTemporaryFile, RequestError>?>(nil)
        try store.exports.begin(for: reader, isAdministrator: isAdministrator) { _, sink throws(RequestError) in
            try sink([1, 2, 3])
        } completion: { file in
            result.withLock { $0 = file }
            done.signal()
        }
        done.wait()
        return try result.withLock { $0.take()! }.get()
    }

    @Test("A reader has one export until it is fetched, or its file is deleted")
    func fetched() throws {
        let fixture = try TestStore()
        let first = try export(fixture.store, of: 7)
        #expect(first.count == 3)
        let error = #expect(throws: RequestError.self) { try export(fixture.store, of: 7) }
        guard case .exceeded(.tooManyRequests, "exportsPerReaderMax", _, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        first.leave()
        var second: ExportTemporaryFile? = try export(fixture.store, of: 7)
        #expect(second?.count == 3)
        second = nil
        // The export's thread may still use it.
        #expect(eventually { (try? export(fixture.store, of: 7)) != nil })
    }

    @Test("Several readers may fetch slowly, and an administrator still gets an export")
    func slow() throws {
        let fixture = try TestStore()
        let open = try (0..<32).map { try export(fixture.store, of: $0) }
        #expect(throws: RequestError.self) { try export(fixture.store, of: 99) }
        try export(fixture.store, of: 98, isAdministrator: true).leave()
        open[0].leave()
        #expect(try export(fixture.store, of: 99).count == 3)
    }
}
