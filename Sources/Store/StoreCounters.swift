import Synchronization

/// What the writer has done; written by it, read by any thread.
public final class StoreCounters: Sendable {
    let commitCount = Atomic<Int>(0)
    let commandCount = Atomic<Int>(0)
    let changeCount = Atomic<Int>(0)
    let frames = Atomic<Int>(0)
    let isFull = Atomic<Bool>(false)

    /// Transactions that were made durable.
    public var commits: Int { commitCount.load(ordering: .relaxed) }
    /// Commands that were decided.
    public var commands: Int { commandCount.load(ordering: .relaxed) }
    /// Changes that were logged.
    public var changes: Int { changeCount.load(ordering: .relaxed) }
    /// Frames of the write-ahead log that wait for a checkpoint.
    public var walFrames: Int { frames.load(ordering: .relaxed) }
}
