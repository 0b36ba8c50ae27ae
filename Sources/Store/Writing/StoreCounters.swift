package import Measures
import Synchronization

/// What the writer has done; written by it, read by any thread.
package final class StoreCounters: Sendable {
    let commitCount = Atomic<Int>(0)
    let commandCount = Atomic<Int>(0)
    let changeCount = Atomic<Int>(0)
    let frames = Atomic<Int>(0)
    let framesHeld = Atomic<Int>(0)
    let isFull = Atomic<Bool>(false)
    let indexPercent = Atomic<Int>(100)
    let day = Atomic<Int64>(0)
    private let recoveredReadCount = Atomic<Int>(0)
    private let levels = Tallies(count: Level.allCases.count)

    /// Commands that shared a commit.
    package let groups = Histograms(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
    /// Microseconds that COMMIT took: writing the log, and until the disk has it.
    package let commitTimes = Histograms(bounds: TimeBounds.answer)

    /// Microseconds from the beginning of a transaction to its COMMIT, for which all other writes wait.
    package let turns = TurnTimes()

    /// What is looked at once a second.
    package enum Level: Int, CaseIterable, Sendable {
        /// Bytes of the database, of its write-ahead log, and what the disk has left.
        case databaseBytes, walBytes, diskBytesFree
        /// The first and the last change that the log has.
        case firstChange, lastChange
        /// Reports that nobody has decided on.
        case openReports
        /// When the writer last took its turn, in monotonic microseconds; it does once a second even when nobody writes.
        case turn
    }

    package subscript(level: Level) -> Int { levels[level.rawValue] }

    func set(_ level: Level, _ value: Int) { levels.set(level.rawValue, value) }

    func noteCommit(of commands: Int, _ changes: Int, since began: Int) {
        commitTimes.note(MonotonicTime.microseconds - began)
        groups.note(commands)
        commitCount.wrappingAdd(1, ordering: .relaxed)
        changeCount.wrappingAdd(changes, ordering: .relaxed)
    }

    func noteRecoveredRead() { recoveredReadCount.wrappingAdd(1, ordering: .relaxed) }

    /// For how many milliseconds the writer has not taken a turn: while it waits for the disk, mostly.
    package var stalledMilliseconds: Int {
        let turn = self[.turn]
        return turn == 0 ? 0 : max(0, MonotonicTime.microseconds - turn) / 1000
    }

    /// Transactions that were made durable.
    package var commits: Int { commitCount.load(ordering: .relaxed) }
    /// Commands that were decided.
    package var commands: Int { commandCount.load(ordering: .relaxed) }
    /// Changes that were logged.
    package var changes: Int { changeCount.load(ordering: .relaxed) }
    /// Read transactions that were found open where none may be, and ended.
    package var recoveredReads: Int { recoveredReadCount.load(ordering: .relaxed) }
    /// Frames of the write-ahead log that wait for a checkpoint.
    package var walFrames: Int { frames.load(ordering: .relaxed) }
    /// Bytes of the write-ahead log that the last checkpoint could not copy, because a read looks at what was before them.
    package var walBytesHeld: Int { framesHeld.load(ordering: .relaxed) * Self.frameBytes }
    /// A page of the database, which has SQLite's usual size, and the frame's own head.
    private static let frameBytes = 4096 + 24
    /// How much of the search index is there: less than 100 while it is renewed.
    package var searchPercent: Int { indexPercent.load(ordering: .relaxed) }
}
