import Synchronization

/// What somebody outside is to blame for, as the log is told it: once a second at most. Else who makes it happen could push all other
/// lines out of what is kept.
final class Complaints: Sendable {
    private let state = Mutex((next: 0.0, untold: 0))

    /// What to write now, at a time in monotonic seconds; nil for nothing.
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
