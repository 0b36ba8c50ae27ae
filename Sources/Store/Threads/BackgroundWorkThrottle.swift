import Glibc
import Measures

/// A throttle for background work. Even a low-priority thread takes half a core from other threads on it, and fills the
/// caches that they share. Confined to one thread.
final class BackgroundWorkThrottle {
    /// The microseconds of work before a pause, and the ratio of the pause to the work.
    private static let work = 2000
    private static let rests = 3

    private var began = MonotonicClock.microseconds()

    /// Pauses if enough time has passed since the last pause. Call it repeatedly during the work.
    func rest() {
        let worked = MonotonicClock.microseconds() - began
        guard worked >= Self.work else { return }
        usleep(UInt32(clamping: min(worked, 10 * Self.work) * Self.rests))
        began = MonotonicClock.microseconds()
    }
}
