import Glibc
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("An idle store", .serialized, .ownThreads)
struct IdleTests {
    private func logBytes(_ fixture: StoreFixture) -> Int {
        var state = stat()
        return stat(fixture.directory + "/lectern.sqlite-wal", &state) == 0 ? Int(state.st_size) : -1
    }

    @Test("An idle store truncates a long write-ahead log")
    func truncation() throws {
        var configuration = StoreFixture.configuration
        configuration.walIdleBytesMax = 64 << 10
        configuration.checkpointFrames = 1_000_000
        let fixture = try StoreFixture(configuration)
        let text = String(repeating: "x", count: 450)
        var most = 0
        for _ in 0..<100 {
            _ = try fixture.addBook("{\"title\": \"\(text)\"}")
            most = max(most, logBytes(fixture))
        }
        #expect(most > 64 << 10)
        #expect(eventually { logBytes(fixture) == 0 })
        // Later reads and writes work as usual.
        let id = try fixture.addBook()
        #expect(try fixture.reads().book(id)?.title == "Emma")
    }
}
