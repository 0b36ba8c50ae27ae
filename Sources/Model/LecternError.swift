public import JSON

/// Everything a request can fail with; the API makes problem details of it in one exhaustive switch.
public enum LecternError: Error, Equatable {
    /// Of this kind; the text says what is so here, and how to get on. The kind knows its status.
    case refused(ProblemKind, String)
    /// Of this kind, because there is this already; the text says how to get on. Only for who may see it.
    case taken(ProblemKind, String, CurrentState)
    /// The path has no such method, but these: the value of `Allow`.
    case methodNotAllowed(allow: String)
    /// The body's media type is none that is taken here: these are.
    case unsupportedMediaType(accepted: String)
    /// The client accepts none of the media types that can be sent: these can.
    case notAcceptable(offered: String)
    /// No such thing, or none that the viewer may see.
    case notFound
    /// `If-Match` or `If-None-Match` named another state than this one; nil when there is none.
    case preconditionFailed(CurrentState?)
    /// Members of the body that break a rule.
    case invalid([Violation])
    /// As many of something as a limit allows are there: its name and value; the text says how to get on.
    case limitReached(limit: String, max: Int, String)
    /// More than a limit allows: its name and value.
    case tooLarge(limit: String, max: Int)
    /// The asker has as many of something open as a limit allows: its name and value; the text says of what. Try again after so
    /// many seconds.
    case tooManyRequests(limit: String, max: Int, String, retryAfterSeconds: Int)
    /// Requests come faster than a limit allows: its name and its requests a second; the text says whose. Try again after so many
    /// seconds.
    case tooOften(limit: String, max: Int, String, retryAfterSeconds: Int)
    /// Not now; try again after so many seconds.
    case unavailable(ProblemKind, String, retryAfterSeconds: Int)
    /// The disk is full: nothing can be written, all can be read.
    case outOfSpace
    /// What a line of a batch, counted from 0, fails with, and all of the batch with it.
    indirect case inBatch(line: Int, LecternError)
    /// A fault of ours; the text goes to the log, never to the client.
    case internalError(String)
}

/// The state that a resource is in, for who took it to be in another, or not to be. Only for who may see it.
public struct CurrentState: Equatable, Sendable {
    /// The number in the ETag.
    public let validator: Int64
    /// The representation, a JSON object.
    public let representation: [UInt8]

    /// What a resource is now.
    public init(of resource: some Resource) {
        validator = resource.validator
        representation = resource.encoded()
    }
}
