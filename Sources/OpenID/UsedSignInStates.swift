import Model
import Synchronization

/// The successful attempts, kept until their responses can no longer be repeated. Forged responses take no memory: only
/// attempts that the provider confirmed are added.
final class UsedSignInStates: Sendable {
    /// The maximum number of kept states. Beyond it responses are refused.
    static let countMax = 16_384

    private let untils = Mutex<[SHA256Digest: Instant]>([:])

    func demandUnspent(_ state: String, now: Instant) throws(OpenIDError) {
        let digest = SHA256.digest(of: Array(state.utf8))
        if let end = untils.withLock({ $0[digest] }), end > now { throw Self.used }
    }

    private static let used = OpenIDError.refused("The response has been used before.")

    func add(_ state: String, until: Instant, now: Instant) throws(OpenIDError) {
        let digest = SHA256.digest(of: Array(state.utf8))
        let refusal: OpenIDError? = untils.withLock { untils in
            if let end = untils[digest], end > now { return Self.used }
            if untils.count >= Self.countMax { untils = untils.filter { $0.value > now } }
            guard untils.count < Self.countMax else {
                return .unreachable("too many sign-ins have used this in the last ten minutes")
            }
            untils[digest] = until
            return nil
        }
        if let refusal { throw refusal }
    }
}
