import CSQLite
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

/// Tests of retention by age, with a manual clock.
@Suite("The retention clock", .serialized, .ownThreads)
struct RetentionClockTests {
    private let directory: String
    private let head: Int64

    init() throws {
        var shop: StoreFixture? = try StoreFixture()
        for _ in 0..<20 { _ = try shop!.addBook() }
        directory = shop!.directory
        head = try shop!.reads().head()
        shop!.keepsDirectory.store(true, ordering: .relaxed)
        shop = nil
        try TestDatabase.execute(directory + "/lectern.sqlite", "DELETE FROM clock_marks")
    }

    private func reading(_ wall: String, running hours: Int64) throws -> MachineClockTimes {
        MachineClockTimes(wall: try #require(Instant(wall)), running: hours * 3_600_000)
    }

    /// Returns the log's first change after a server was started at the first reading of the clock and has seen the
    /// others.
    private func first(days: Int = 30, _ readings: MachineClockTimes...) throws -> Int64? {
        let connection = try Connection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        var configuration = StoreFixture.configuration
        configuration.retentionDaysMax = days
        var retention = try LogRetention(connection, configuration, at: readings[0])
        for reading in readings {
            while try retention.runMaintenance(isIdle: true, head: head, at: reading) {}
        }
        return try connection.number("SELECT min(seq) FROM changes")
    }

    @Test("a clock that is far ahead at a start trims nothing, nor does setting it right again")
    func jump() throws {
        defer { StoreFixture.remove(directory) }
        #expect(try first(reading("2026-11-21T10:00:00Z", running: 5)) == 1)
        #expect(
            try first(reading("2099-01-01T00:00:00Z", running: 1), reading("2099-01-02T00:00:00Z", running: 25)) == 1)
        #expect(
            try first(reading("2026-11-22T10:00:00Z", running: 1), reading("2199-11-23T10:00:00Z", running: 2)) == 1)
        #expect(try first(reading("2026-11-22T12:00:00Z", running: 1)) == 1)
    }

    @Test("changes that say they were made in 2099 go when the server has run for thirty days more, and not before")
    func wrongTimes() throws {
        defer { StoreFixture.remove(directory) }
        try TestDatabase.execute(
            directory + "/lectern.sqlite", "UPDATE changes SET at = at + 73 * 31557600000 WHERE seq > 5")
        #expect(
            try first(
                reading("2026-11-21T10:00:00Z", running: 5), reading("2026-12-21T09:00:00Z", running: 5 + 719)) == 1)
        // The time without a server counts for two hours.
        #expect(try first(reading("2026-12-24T10:00:00Z", running: 0)) == head)
    }

    @Test("starts that last for minutes add up, also after the clock was set back")
    func shortRuns() throws {
        defer { StoreFixture.remove(directory) }
        #expect(try first(days: 1, reading("2030-01-01T00:00:00Z", running: 0)) == 1)
        for hour in 0..<24 {
            let wall = "2026-11-21T\(hour < 10 ? "0" : "")\(hour):00:00Z"
            #expect(try first(days: 1, reading(wall, running: 0)) == 1)
        }
        #expect(try first(days: 1, reading("2026-11-22T00:00:00Z", running: 0)) == head)
    }
}
