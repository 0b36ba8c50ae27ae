/// The number of frames in the write-ahead log after which the next checkpoint is due.
///
/// All writes wait for a checkpoint. It takes longer the more different pages the frames hold, so that large commits make it long: one that
/// took longer than the goal makes the next one smaller.
struct CheckpointSize {
    /// The time in microseconds that a checkpoint is to take at most.
    static let durationGoal = 25_000
    /// The least number of frames. More frequent checkpoints would cost short commits too much of their rate.
    static let framesMin = 2000

    private(set) var frames: Int
    private let framesMax: Int

    init(framesMax: Int) { (frames, self.framesMax) = (framesMax, framesMax) }

    /// Takes the duration in microseconds of a checkpoint of `copied` frames into account. The size at most doubles.
    mutating func note(_ duration: Int, of copied: Int) {
        let wanted = copied * Self.durationGoal / max(duration, 1)
        frames = min(max(wanted, Self.framesMin), frames * 2, framesMax)
    }
}
