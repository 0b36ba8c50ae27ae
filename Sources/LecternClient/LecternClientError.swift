/// Why something could not be done.
public enum LecternClientError: Error, Sendable, CustomStringConvertible {
    /// There was no answer.
    case unreachable(String)
    /// The server refuses.
    case refused(Problem)
    /// A write was of a state that is no longer there. What there is now is in the problem's `current`.
    case moved(Problem)
    /// What the server says is not understood.
    case misunderstood(String)
    /// Nothing is known yet of what was to be changed.
    case notLoaded

    /// Whether the same may be done later.
    public var passes: Bool {
        switch self {
        case .unreachable: true
        case .refused(let problem): problem.passes
        case .moved, .misunderstood, .notLoaded: false
        }
    }

    public var description: String {
        switch self {
        case .unreachable(let why), .misunderstood(let why): why
        case .refused(let problem), .moved(let problem): problem.description
        case .notLoaded: "nothing has been loaded yet"
        }
    }
}
