import Synchronization

/// A limiter for log lines about errors that outsiders can cause. It allows one line a second. Otherwise an outsider
/// could push all other lines out of the stored log.
final class ErrorLogLimiter: Sendable {
    private let state = Mutex((next: 0.0, untold: 0))

    /// Returns the line to log at a time in monotonic seconds, or `nil` for none.
    func line(_ what: String, at now: Double) -> String? {
        state.withLock { state in
            guard now >= state.next else {
                state.untold += 1
                return nil
            }
            let others = state.untold
            state = (now + 1, 0)
            return others == 0 ? what : "\(what) (and \(others) more since the last message)"
        }
    }
}
