package import Measures
import Synchronization

/// The writer's counters, which it updates and any thread can read.
package final class StoreCounters: Sendable {
    let commitCount = Atomic<Int>(0)
    let commandCount = Atomic<Int>(0)
    let changeCount = Atomic<Int>(0)
    let frames = Atomic<Int>(0)
    let framesHeld = Atomic<Int>(0)
    let isFull = Atomic<Bool>(false)
    let day = Atomic<Int64>(0)
    private let recoveredReadCount = Atomic<Int>(0)
    private let levels = CounterArray(count: StoreGauge.allCases.count)

    /// The number of commands in each commit.
    package let groups = Histograms(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
    /// The duration of `COMMIT` in microseconds: writing the log and syncing it to disk.
    package let commitTimes = Histograms(bounds: HistogramTimeBounds.answer)

    /// The microseconds from the beginning of a transaction to its commit, for which all other writes wait.
    package let turns = TurnDurationHistogram()

    package subscript(level: StoreGauge) -> Int { levels[level.rawValue] }

    func set(_ level: StoreGauge, _ value: Int) { levels.set(level.rawValue, value) }

    func recordCommit(of commands: Int, _ changes: Int, since began: Int) {
        commitTimes.record(MonotonicTime.microseconds - began)
        groups.record(commands)
        commitCount.wrappingAdd(1, ordering: .relaxed)
        changeCount.wrappingAdd(changes, ordering: .relaxed)
    }

    func recordRecoveredRead() { recoveredReadCount.wrappingAdd(1, ordering: .relaxed) }

    /// The milliseconds since the writer's last turn. A long time usually means that it waits for the disk.
    package var stalledMilliseconds: Int {
        let turn = self[.turn]
        return turn == 0 ? 0 : max(0, MonotonicTime.microseconds - turn) / 1000
    }

    /// The number of durable transactions.
    package var commits: Int { commitCount.load(ordering: .relaxed) }
    /// The number of decided commands.
    package var commands: Int { commandCount.load(ordering: .relaxed) }
    /// The number of logged changes.
    package var changes: Int { changeCount.load(ordering: .relaxed) }
    /// The number of read transactions that were left open by mistake and then ended.
    package var recoveredReads: Int { recoveredReadCount.load(ordering: .relaxed) }
    /// The number of frames in the write-ahead log that wait for a checkpoint.
    package var walFrames: Int { frames.load(ordering: .relaxed) }
    /// The bytes of the write-ahead log that the last checkpoint could not copy because of an older read snapshot.
    package var walBytesHeld: Int { framesHeld.load(ordering: .relaxed) * Self.frameBytes }
    /// The bytes of a frame: a page of SQLite's default size and the frame header.
    private static let frameBytes = 4096 + 24
}

/// The gauges that are updated once a second.
package enum StoreGauge: Int, CaseIterable, Sendable {
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
