import Synchronization

/// What the writer has done; written by it, read by any thread.
package final class StoreCounters: Sendable {
    let commitCount = Atomic<Int>(0)
    let commandCount = Atomic<Int>(0)
    let changeCount = Atomic<Int>(0)
    let frames = Atomic<Int>(0)
    let isFull = Atomic<Bool>(false)
    let indexPercent = Atomic<Int>(100)
    let day = Atomic<Int64>(0)

    /// Transactions that were made durable.
    package var commits: Int { commitCount.load(ordering: .relaxed) }
    /// Commands that were decided.
    package var commands: Int { commandCount.load(ordering: .relaxed) }
    /// Changes that were logged.
    package var changes: Int { changeCount.load(ordering: .relaxed) }
    /// Frames of the write-ahead log that wait for a checkpoint.
    package var walFrames: Int { frames.load(ordering: .relaxed) }
    /// How much of the search index is there: less than 100 while it is renewed.
    package var searchPercent: Int { indexPercent.load(ordering: .relaxed) }
}
