/// The pause between two slices of changes to many rows, in which others write.
///
/// A reader can cause such changes again and again, for instance with another name in each request. So they take a fixed part of the writer's
/// time, whatever a slice costs on this machine.
struct ChorePause {
    /// A pause is this many times as long as the slice before it.
    static let factor = 4
    /// The longest pause in microseconds.
    static let pauseMax = 1_000_000

    /// The end of the pause in monotonic microseconds.
    private var end = 0

    /// Begins a pause after a slice; both times are monotonic microseconds.
    mutating func note(began: Int, ended: Int) {
        end = ended + min(max(ended - began, 0) * Self.factor, Self.pauseMax)
    }

    /// The rest of the pause, rounded up to milliseconds; 0 when the next slice is due.
    func millisecondsLeft(at now: Int) -> Int { max(0, (end - now + 999) / 1000) }
}
