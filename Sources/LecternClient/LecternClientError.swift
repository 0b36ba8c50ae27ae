/// An error of a request or a stream.
public enum LecternClientError: Error, Sendable, CustomStringConvertible {
    /// There was no response.
    case unreachable(String)
    /// The server refuses the request.
    case refused(Problem)
    /// A write refers to an outdated state. The current state is in the problem's `current`.
    case outdated(Problem)
    /// The server's response is invalid, or an argument is.
    case misunderstood(String)
    /// The value to change has not been loaded yet.
    case notLoaded

    /// A Boolean value indicating whether a retry may succeed.
    public var passes: Bool {
        switch self {
        case .unreachable: true
        case .refused(let problem): problem.passes
        case .outdated, .misunderstood, .notLoaded: false
        }
    }

    public var description: String {
        switch self {
        case .unreachable(let why), .misunderstood(let why): why
        case .refused(let problem), .outdated(let problem): problem.description
        case .notLoaded: "no value has been loaded yet"
        }
    }
}
