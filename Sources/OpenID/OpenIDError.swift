/// Why nobody was signed in.
package enum OpenIDError: Error, Equatable, CustomStringConvertible {
    /// What came must not be believed; the text says why, and holds nothing of it.
    case refused(String)
    /// The provider says no itself: the code of its refusal.
    case declined(String)
    /// The provider did not answer, or not as one does. For the log; it may hold an address.
    case unreachable(String)

    package var description: String {
        switch self {
        case .refused(let why): why
        case .declined(let code): "The provider declined: \(code)."
        case .unreachable(let why): why
        }
    }
}
