import JSON
import SharedByTests
import Store
import Synchronization
import Testing

@testable import API

@Suite("Reads that reach their timeout", .ownThreads)
struct ReadDeadlineTests {
    /// A stopped clock that jumps by an hour after a number of readings.
    private final class JumpingClock: Sendable {
        private let state = Mutex((time: Int64(1), looksLeft: Int.max))

        var microseconds: Int64 {
            state.withLock { state in
                state.looksLeft -= 1
                if state.looksLeft == 0 { state.time += 3_600_000_000 }
                return state.time
            }
        }

        /// Makes the clock jump after a number of readings.
        func jump(after looks: Int) { state.withLock { $0.looksLeft = looks } }
    }

    @Test("After reads that timed out an event loop reads later writes, and refuses a revoked token")
    func fresh() throws {
        let clock = JumpingClock()
        let service = try TestService {
            $0.loops = 1
            $0.store.readMillisecondsMax = 1
            // The clock is checked after each step of every statement, including COMMIT.
            $0.store.readClock.steps = 1
            $0.store.readClock.microseconds = { clock.microseconds }
        }
        let other = try service.send("POST", "/v1/tokens", #"{"name":"other","scope":"write"}"#)
        let id = try #require(other["id"]?.string)
        let secret = try #require(other["token"]?.string)
        let start = try service.head()
        for _ in 0..<20 { _ = try service.make("/v1/books", #"{"title":"Emma"}"#) }
        #expect(try service.send("GET", "/v1/me", token: secret).status == 200)
        // A page of changes is one transaction. The deadline passes at different places of it.
        var lateCount = 0
        for looks in stride(from: 10, to: 400, by: 30) {
            clock.jump(after: looks)
            let page = try service.send("GET", "/v1/changes?limit=20&after=\(start)")
            clock.jump(after: .max)
            #expect(page.status == 200 || page.text.contains("readMillisecondsMax (1)"), "\(page.text)")
            if page.status == 503 { lateCount += 1 }
            let book = try service.make("/v1/books", #"{"title":"Persuasion"}"#)
            #expect(try service.send("GET", "/v1/books/\(book)").status == 200)
        }
        #expect(lateCount > 3)
        #expect(try service.send("DELETE", "/v1/tokens/\(id)").status == 204)
        #expect(try service.send("GET", "/v1/me", token: secret).status == 401)
        let metrics = try service.send("GET", "/metrics").text
        #expect(metrics.contains("\nlectern_read_transactions_recovered_total 0\n"))
    }
}
