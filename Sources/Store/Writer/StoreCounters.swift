package import Measures
import Synchronization

/// The writer's counters, which it updates and any thread can read.
package final class StoreCounters: Sendable {
    private let numbers = CounterArray(count: StoreCounter.allCases.count)
    private let recoveredReadCount = Atomic<Int>(0)

    /// The number of commands in each commit.
    package let groups = Histograms(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
    /// The duration of `COMMIT` in microseconds: writing the log and syncing it to disk.
    package let commitTimes = Histograms(bounds: HistogramTimeBounds.answer)

    /// The microseconds from the beginning of a transaction to its commit, for which all other writes wait.
    package let turns = Histograms(bounds: HistogramTimeBounds.turn)

    package subscript(counter: StoreCounter) -> Int { numbers[counter.rawValue] }

    func set(_ gauge: StoreCounter, _ value: Int) { numbers.set(gauge.rawValue, value) }

    func add(_ counter: StoreCounter, _ amount: Int) { numbers.add(counter.rawValue, amount) }

    func recordCommit(of commands: Int, _ changes: Int, since began: Int) {
        commitTimes.record(MonotonicClock.microseconds() - began)
        groups.record(commands)
        add(.commits, 1)
        add(.changes, changes)
    }

    func recordRecoveredRead() { recoveredReadCount.wrappingAdd(1, ordering: .relaxed) }

    /// The milliseconds since the writer's last turn. A long time usually means that it waits for the disk.
    package var stalledMilliseconds: Int {
        let turn = self[.turn]
        return turn == 0 ? 0 : max(0, MonotonicClock.microseconds() - turn) / 1000
    }

    /// The number of read transactions that were left open by mistake and then ended.
    package var recoveredReads: Int { recoveredReadCount.load(ordering: .relaxed) }
    /// The bytes of the write-ahead log that the last checkpoint could not copy because of an older read snapshot.
    package var walBytesHeld: Int { self[.walFramesHeld] * Self.frameBytes }
    /// The bytes of a frame: a page of SQLite's default size and the frame header.
    private static let frameBytes = 4096 + 24
}

/// The counters and gauges that only the writer changes. The gauges without another comment are updated once a second.
package enum StoreCounter: Int, CaseIterable, Sendable {
    /// The numbers of durable transactions, of decided commands, and of logged changes.
    case commits, commands, changes
    /// The frames in the write-ahead log that wait for a checkpoint, and those that the last checkpoint could not copy
    /// because of an older read snapshot. Updated after each batch.
    case walFrames, walFramesHeld
    /// 1 while writes are refused because the disk is full.
    case outOfSpace
    /// The current day by the retention clock, in days since 1970-01-01.
    case day
    /// The bytes of the database; `walBytes` are those of its write-ahead log, and `diskBytesFree` those that the disk
    /// has free.
    case databaseBytes, walBytes, diskBytesFree
    /// The first and the last change in the log.
    case firstChange, lastChange
    /// The number of reports without a decision.
    case openReports
    /// 1 while data of readers who left is still being erased. Set before a reader's departure is acknowledged.
    case erasing
    /// The time of the writer's last turn, in monotonic microseconds. It takes one once a second even without
    /// commands.
    case turn
}
