import Model
import OpenID

extension OpenIDError {
    /// Returns the error for clients. Faults of the provider are logged.
    func asRequestError(_ service: SharedServiceState) -> RequestError {
        switch self {
        case .refused(let why): return .refused(.identityRefused, why)
        case .declined:
            return .refused(
                .identityRefused, "The identity provider refused the sign-in. Try again, or sign in another way.")
        case .unreachable(let why):
            if service.accounts.admitLogLine() { service.log.error("identity provider: \(why)") }
            return .unavailable(
                .providerUnreachable,
                "The identity provider cannot be reached, or its response is not valid. Try again soon.",
                retryAfterSeconds: 10)
        }
    }
}
