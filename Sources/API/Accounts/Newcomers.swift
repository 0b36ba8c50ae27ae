import Model
import Store
import Synchronization

/// How many become readers without a link, where everyone may: so many at once, and as many an hour. What limits each reader is worth
/// little to who can make more of them.
final class Newcomers: Sendable {
    /// 0 for as many as come.
    private let perHour: Int
    /// When as many may come at once as at first, in monotonic seconds.
    private let freeAt = Mutex(0.0)

    init(perHour: Int) { self.perHour = perHour }

    /// Throws where nobody may come in now: before a password is hashed for nothing.
    func demandRoom(at now: Double = Accounts.now) throws(LecternError) {
        if let error = freeAt.withLock({ refusal($0, at: now) }) { throw error }
    }

    /// Counts somebody who is about to become a reader; throws where there are too many.
    func admit(at now: Double = Accounts.now) throws(LecternError) {
        guard perHour > 0 else { return }
        let refused: LecternError? = freeAt.withLock { free in
            if let refused = refusal(free, at: now) { return refused }
            free = max(free, now) + pause
            return nil
        }
        if let refused { throw refused }
    }

    private var pause: Double { 3600 / Double(perHour) }

    private func refusal(_ free: Double, at now: Double) -> LecternError? {
        guard perHour > 0 else { return nil }
        let excess = max(free, now) + pause - now - 3600
        guard excess > 0.001 else { return nil }
        return .tooOften(
            limit: "registrationsPerHour", max: perHour,
            "\(perHour) readers registered without an invitation in the last hour, which is the maximum. Try again later.",
            retryAfterSeconds: max(1, Int(excess.rounded(.up))))
    }
}

extension Accounts {
    /// What the writer asks of who is about to become a reader.
    var welcome: Welcome {
        { [newcomers] isInvited throws(LecternError) in if !isInvited { try newcomers.admit() } }
    }
}
