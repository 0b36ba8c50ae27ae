/// The number of frames in the write-ahead log after which the next checkpoint is due.
///
/// All writes wait for a checkpoint. It takes longer the more different pages the frames hold: frames of large commits count more, and a
/// checkpoint that took longer than the goal makes the next one smaller.
struct CheckpointSize {
    /// The time in microseconds that a checkpoint is to take at most.
    static let durationGoal = 60_000
    /// The least number of frames. More frequent checkpoints would cost short commits too much of their rate.
    static let framesMin = 2000

    /// Frames of one commit that count once. A group of small commands, which mostly change the same pages, has fewer.
    private static let smallCommitMax = 256
    /// The count of each further frame: nearly all of these are pages that no other commit has changed, and a checkpoint writes each.
    private static let largeFrameWeight = 32

    private(set) var frames: Int
    private let framesMax: Int

    init(framesMax: Int) { (frames, self.framesMax) = (framesMax, framesMax) }

    /// The number of frames of small commits whose checkpoint takes about as long as that of a commit with `frames`.
    static func weight(ofCommit frames: Int) -> Int {
        min(frames, smallCommitMax) + max(0, frames - smallCommitMax) * largeFrameWeight
    }

    /// Takes the duration in microseconds of a checkpoint of `copied` frames into account. The size at most doubles.
    mutating func note(_ duration: Int, of copied: Int) {
        let wanted = copied * Self.durationGoal / max(duration, 1)
        frames = min(max(wanted, Self.framesMin), frames * 2, framesMax)
    }
}
