/// Why something could not be done.
public enum LecternClientError: Error, Sendable, CustomStringConvertible {
    /// There was no answer, or one that says to come back later: the same may be done later.
    case unreachable(String)
    /// The server refuses.
    case refused(Problem)
    /// A write was of a state that is no longer there. What there is now is in the problem's `current`.
    case moved(Problem)
    /// What the server says is not understood.
    case misunderstood(String)
    /// Nothing is known yet of what was to be changed.
    case notLoaded

    public var description: String {
        switch self {
        case .unreachable(let why), .misunderstood(let why): why
        case .refused(let problem), .moved(let problem): problem.description
        case .notLoaded: "nothing has been loaded yet"
        }
    }
}
