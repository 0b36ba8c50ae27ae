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
        var fixture: StoreFixture? = try StoreFixture()
        for _ in 0..<20 { _ = try fixture!.addBook() }
        directory = fixture!.directory
        head = try fixture!.reads().head()
        fixture!.keepsDirectory.store(true, ordering: .relaxed)
        fixture = nil
        try TestDatabase.execute(directory + "/lectern.sqlite", "DELETE FROM clock_marks")
    }

    private func reading(_ wall: String, running hours: Int64) throws -> MachineClockTimes {
        MachineClockTimes(wall: try #require(Instant(wall)), running: hours * 3_600_000)
    }

    /// Returns the log's first change after a server was started at the first reading of the clock and has seen the
    /// others.
    private func first(days: Int = 30, _ readings: MachineClockTimes...) throws -> Int64? {
        let connection = try SQLiteConnection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        var configuration = StoreFixture.configuration
        configuration.retentionDaysMax = days
        var retention = try LogRetention(connection, configuration, at: readings[0])
        for reading in readings {
            while try retention.runMaintenance(isIdle: true, head: head, at: reading) {}
        }
        return try connection.number("SELECT min(seq) FROM changes")
    }

    @Test("A clock far ahead at a start deletes nothing, nor does its correction")
    func jump() throws {
        defer { StoreFixture.remove(directory) }
        #expect(try first(reading("2026-11-21T10:00:00Z", running: 5)) == 1)
        #expect(
            try first(reading("2099-01-01T00:00:00Z", running: 1), reading("2099-01-02T00:00:00Z", running: 25)) == 1)
        #expect(
            try first(reading("2026-11-22T10:00:00Z", running: 1), reading("2199-11-23T10:00:00Z", running: 2)) == 1)
        #expect(try first(reading("2026-11-22T12:00:00Z", running: 1)) == 1)
    }

    @Test("Changes dated 2099 are deleted after thirty more days of running, not before")
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

    @Test("Short runs of the server add up, also after the clock was set back")
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
