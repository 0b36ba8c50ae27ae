/// The pause between two slices of a change to many rows, in which other commands are written.
///
/// A reader can cause such changes repeatedly, for example with a new name in each request. They therefore take a fixed
/// share of the writer's time, however long a slice takes on this machine.
struct BulkChangePause {
    /// The ratio of a pause to the duration of the slice before it.
    static let factor = 4
    /// The maximum pause, in microseconds.
    static let pauseMax = 1_000_000

    /// The end of the pause, in monotonic microseconds.
    private var end = 0

    /// Starts the pause after a slice. Both times are in monotonic microseconds.
    mutating func record(began: Int, ended: Int) {
        end = ended + min(max(ended - began, 0) * Self.factor, Self.pauseMax)
    }

    /// Returns the rest of the pause, rounded up to milliseconds, or 0 when the next slice is due.
    func millisecondsLeft(at now: Int) -> Int { max(0, (end - now + 999) / 1000) }
}
