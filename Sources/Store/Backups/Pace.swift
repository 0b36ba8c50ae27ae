import Glibc

/// Lets what has time rest most of it: a thread that yields to others still takes half a core from those on the same one, and fills the
/// caches that they share. Confined to one thread.
final class Pace {
    /// Microseconds of work before a rest, and how much longer than the work that is.
    private static let work = 2000
    private static let rests = 3

    private var began = MonotonicTime.microseconds

    /// Called now and then, in the midst of the work.
    func rest() {
        let worked = MonotonicTime.microseconds - began
        guard worked >= Self.work else { return }
        usleep(UInt32(clamping: min(worked, 10 * Self.work) * Self.rests))
        began = MonotonicTime.microseconds
    }
}
