/// The number of frames in the write-ahead log after which the next checkpoint is due.
///
/// All writes wait for a checkpoint, and its duration grows with the number of different pages in the frames. Frames of
/// large commits therefore count more, and a checkpoint that takes longer than the goal makes the next one smaller.
struct CheckpointThreshold {
    /// The target maximum duration of a checkpoint, in microseconds.
    static let durationGoal = 60_000
    /// The minimum number of frames. More frequent checkpoints would slow short commits down too much.
    static let framesMin = 2000

    /// The number of frames of one commit that count once. Groups of small commands have fewer frames, because they
    /// mostly change the same pages.
    private static let smallCommitMax = 256
    /// The weight of each further frame. Nearly all of these pages were changed by no other commit, so the checkpoint
    /// writes each of them.
    private static let largeFrameWeight = 32

    private(set) var frames: Int
    private let framesMax: Int

    init(framesMax: Int) { (frames, self.framesMax) = (framesMax, framesMax) }

    /// Returns the number of small commits' frames that take about as long to checkpoint as a commit of `frames`.
    static func weight(ofCommit frames: Int) -> Int {
        min(frames, smallCommitMax) + max(0, frames - smallCommitMax) * largeFrameWeight
    }

    /// Adjusts the size after a checkpoint of `copied` frames that took `duration` microseconds. The size at most
    /// doubles.
    mutating func record(_ duration: Int, of copied: Int) {
        let wanted = copied * Self.durationGoal / max(duration, 1)
        frames = min(max(wanted, Self.framesMin), frames * 2, framesMax)
    }
}
