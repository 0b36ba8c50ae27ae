/// The reason why a sign-in failed.
package enum OpenIDError: Error, Equatable, CustomStringConvertible {
    /// The response is invalid. The text gives the reason, and contains nothing of the response.
    case refused(String)
    /// The provider declined, with this error code.
    case declined(String)
    /// The provider gave no valid response. The text is for the log, because it may contain an address.
    case unreachable(String)

    package var description: String {
        switch self {
        case .refused(let why): why
        case .declined(let code): "The provider declined: \(code)."
        case .unreachable(let why): why
        }
    }
}
