public import JSON

/// Everything a request can fail with; the API makes problem details of it in one exhaustive switch.
public enum LecternError: Error, Equatable {
    /// Not a request that can be understood: the text says where it goes wrong.
    case malformed(String)
    /// The body's media type is none that is taken here: these are.
    case unsupportedMediaType(accepted: String)
    /// The client accepts none of the media types that can be sent: these can.
    case notAcceptable(offered: String)
    /// No such thing, or none that the viewer may see.
    case notFound
    /// The state of things forbids it; the text says why, and how to get on.
    case conflict(String)
    /// `If-Match` or `If-None-Match` named another state; the current version is given when there is one.
    case preconditionFailed(currentVersion: Int64?)
    /// Members of the body that break a rule.
    case invalid([Violation])
    /// No token, or none that is valid; the text says which.
    case unauthenticated(String)
    /// The token may not do this; the text says what would.
    case forbidden(String)
    /// More than a limit allows: its name and value.
    case tooLarge(limit: String, max: Int)
    /// Too much in too short a time; try again after so many seconds.
    case tooManyRequests(retryAfterSeconds: Int)
    /// Not now; try again after so many seconds.
    case unavailable(String, retryAfterSeconds: Int)
    /// The disk is full: nothing can be written, all can be read.
    case outOfSpace
    /// A fault of ours; the text goes to the log, never to the client.
    case internalError(String)
}
