import Model
import Synchronization

/// The attempts whose answer has come, for as long as it could come again.
final class SpentStates: Sendable {
    /// As many are kept; while they are, no other answer is taken.
    static let countMax = 16_384

    private let untils = Mutex<[Digest: Instant]>([:])

    func add(_ state: String, until: Instant, now: Instant) throws(OpenIDError) {
        let digest = SHA256.digest(of: Array(state.utf8))
        let refusal: OpenIDError? = untils.withLock { untils in
            if let end = untils[digest], end > now { return .refused("The answer has been used before.") }
            if untils.count >= Self.countMax { untils = untils.filter { $0.value > now } }
            guard untils.count < Self.countMax else {
                return .unreachable("too many have come from the provider lately")
            }
            untils[digest] = until
            return nil
        }
        if let refusal { throw refusal }
    }
}
