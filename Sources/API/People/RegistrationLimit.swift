import Model
import Store
import Synchronization

/// The limit of registrations without a link, with open registration: a burst, and the same number per hour. Limits per
/// reader are worth little against somebody who can create more readers.
final class RegistrationLimit: Sendable {
    /// The maximum per hour; 0 means no limit.
    private let perHour: Int
    /// The time at which a full burst is available again, in monotonic seconds.
    private let freeAt = Mutex(0.0)

    init(perHour: Int) { self.perHour = perHour }

    /// Throws if the limit is reached. Checked before a password is hashed for nothing.
    func demandRoom(at now: Double = AccountService.now) throws(RequestError) {
        if let error = freeAt.withLock({ refusal($0, at: now) }) { throw error }
    }

    /// Counts a registration, and throws if there are too many.
    func admit(at now: Double = AccountService.now) throws(RequestError) {
        guard perHour > 0 else { return }
        let refused: RequestError? = freeAt.withLock { free in
            if let refused = refusal(free, at: now) { return refused }
            free = max(free, now) + pause
            return nil
        }
        if let refused { throw refused }
    }

    private var pause: Double { 3600 / Double(perHour) }

    private func refusal(_ free: Double, at now: Double) -> RequestError? {
        guard perHour > 0 else { return nil }
        let excess = max(free, now) + pause - now - 3600
        guard excess > 0.001 else { return nil }
        return .tooOften(
            limit: "registrationsPerHour", max: perHour,
            "\(perHour) readers registered without an invitation in the last hour, which is the maximum. Try again later.",
            retryAfterSeconds: max(1, Int(excess.rounded(.up))))
    }
}

extension AccountService {
    /// The check that the writer makes before it registers a reader: a registration without an invitation counts
    /// against the limit.
    var registrationCheck: RegistrationCheck {
        { [registrationLimit] isInvited throws(RequestError) in if !isInvited { try registrationLimit.admit() } }
    }
}
