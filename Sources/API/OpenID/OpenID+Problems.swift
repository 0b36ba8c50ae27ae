import Model
import OpenID

extension OpenIDError {
    /// As clients are told of it; what the provider is to blame for is for the log.
    func asLecternError(_ log: Log) -> LecternError {
        switch self {
        case .refused(let why): return .refused(.identityRefused, why)
        case .declined: return .refused(.identityRefused, "The identity provider did not let you in.")
        case .unreachable(let why):
            log.error("the identity provider: \(why)")
            return .unavailable(
                .providerUnreachable, "The identity provider does not answer as it should. Try again soon.",
                retryAfterSeconds: 10)
        }
    }
}
