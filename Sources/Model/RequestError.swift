public import JSON

/// An error that a request gets, wherever it arises. The API turns it into a problem in one exhaustive switch.
public enum RequestError: Error, Equatable {
    /// A problem of the given kind, which determines the HTTP status. The text says the cause and the next step.
    case refused(ProblemKind, String)
    /// A conflict with an existing resource, whose current state is included. Used only for callers who may see it.
    case taken(ProblemKind, String, CurrentResourceState)
    /// The path does not support the method. `allow` is the value of the `Allow` field.
    case methodNotAllowed(allow: String)
    /// The body's media type is not supported. `accepted` lists those that are; the text says the cause.
    case unsupportedMediaType(accepted: String, String)
    /// The resource does not exist, or the viewer may not see it.
    case notFound
    /// `If-Match` or `If-None-Match` failed. Carries the current state, or `nil` if the resource does not exist.
    case preconditionFailed(CurrentResourceState?)
    /// Members of the body violate a rule.
    case invalid([Violation])
    /// A limit is exceeded: the kind of problem, the limit's name and value, and the cause with the next step. A retry
    /// may succeed after that many seconds, if they are given.
    case exceeded(ProblemKind, limit: String, max: Int, String, retryAfterSeconds: Int? = nil)
    /// The server cannot do it now. A retry may succeed after that many seconds.
    case unavailable(ProblemKind, String, retryAfterSeconds: Int)
    /// The disk is full: writes fail, reads work.
    case outOfSpace
    /// The error of a line of a batch, counted from 0, which fails the whole batch.
    indirect case inBatch(line: Int, RequestError)
    /// A fault of the server. The text goes to the log, never to the client.
    case internalError(String)

    /// Returns the error for a request that exceeds a maximum size: the limit's name and its value.
    public static func tooLarge(limit: String, max: Int) -> RequestError {
        .exceeded(.tooLarge, limit: limit, max: max, "The limit \(limit) is \(max).")
    }

    /// Returns the error for one member that violates a rule.
    public static func violation(_ pointer: String, _ detail: String) -> RequestError {
        .invalid([Violation(pointer: pointer, detail: detail)])
    }
}

/// The current state of a resource, for a client that expected another state or none. Used only for callers who may see
/// it.
public struct CurrentResourceState: Equatable, Sendable {
    /// The number in the ETag.
    public let validator: Int64
    /// The representation, a JSON object.
    public let representation: [UInt8]

    /// Captures the current state of a resource.
    public init(of resource: some Resource) {
        validator = resource.validator
        representation = resource.encoded()
    }
}
