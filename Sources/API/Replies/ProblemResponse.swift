import HTTPServer
import JSON
import Model

/// A response with the details of an error (RFC 9457).
struct ProblemResponse {
    let kind: ProblemKind
    var detail: String
    var violations: [Violation] = []
    var limit: (name: String, max: Int)?
    var retryAfterSeconds: Int?
    var current: CurrentResourceState?
    var accepted: String?
    var allow: String?
    /// The line of a batch that the error belongs to.
    var line: Int?

    /// Creates the problem of an error. This is the only place where errors become responses.
    init(_ error: RequestError) {
        switch error {
        case .refused(let kind, let why): (self.kind, detail) = (kind, why)
        case .taken(let kind, let why, let current): (self.kind, detail, self.current) = (kind, why, current)
        case .methodNotAllowed(let allow):
            (kind, detail, self.allow) = (.methodNotAllowed, "This path takes \(allow).", allow)
        case .unsupportedMediaType(let accepted, let why):
            (kind, detail, self.accepted) = (.unsupportedMediaType, why, accepted)
        case .notFound: (kind, detail) = (.notFound, "It does not exist, or you have no access to it.")
        case .preconditionFailed(let current):
            let now = current == nil ? " It does not exist now." : ""
            (kind, detail) = (.preconditionFailed, "The resource does not match the request's precondition.\(now)")
            self.current = current
        case .invalid(let violations):
            (kind, detail) = (.invalid, "The members listed in violations are not valid.")
            self.violations = violations
        case .exceeded(let kind, let name, let max, let why, let seconds):
            (self.kind, detail, limit, retryAfterSeconds) = (kind, why, (name, max), seconds)
        case .unavailable(let kind, let why, let seconds):
            (self.kind, detail, retryAfterSeconds) = (kind, why, seconds)
        case .outOfSpace:
            kind = .outOfSpace
            detail = "The disk is full: nothing was written. Reads continue; writes work again when there is space."
        case .inBatch(let line, let error):
            self = ProblemResponse(error)
            self.line = line
            // Only the lines before, which are undone, may have made it readable.
            current = nil
            violations = violations.map {
                Violation(pointer: "/requests/\(line)/body\($0.pointer)", detail: $0.detail)
            }
        case .internalError: (kind, detail) = (.internalError, "The server failed. Its log has the reason.")
        }
    }

    /// Writes the whole response.
    func write(to response: inout ResponseWriter, epoch: LogEpoch) {
        let status = kind.page.status
        response.status(status)
        if let retryAfterSeconds { response.field("Retry-After", retryAfterSeconds) }
        if let challenge { response.field("WWW-Authenticate", challenge) }
        if let accepted { response.field("Accept", accepted) }
        if let allow { response.field("Allow", allow) }
        if let current { response.field("ETag", ETag.bytes(EventID(epoch: epoch, seq: current.validator))) }
        response.field("Cache-Control", "no-store")
        response.field("Vary", "Accept, Authorization")
        response.body(encoded(to: response.trace.id), type: "application/problem+json")
    }

    /// The challenge (RFC 6750, 3). It has a reason after an invalid token, but none after a request without one.
    private var challenge: StaticString? {
        guard kind.page.status == 401 else { return nil }
        return switch kind {
        case .tokenUnknown: "Bearer realm=\"lectern\", error=\"invalid_token\""
        case .tokenExpired:
            "Bearer realm=\"lectern\", error=\"invalid_token\", error_description=\"The token expired\""
        default: "Bearer realm=\"lectern\""
        }
    }

    /// Returns the JSON of the problem. A line of a batch is no request, so it has no request id.
    func encoded(to request: RequestID? = nil) -> [UInt8] {
        JSONWriter.object(capacity: 256) { json in
            json.member("type", kind.type)
            json.member("title", kind.page.title)
            json.member("status", kind.page.status)
            json.member("detail", detail)
            if let line {
                json.member("line", line)
                json.member("pointer", "/requests/\(line)")
            }
            if !violations.isEmpty {
                json.array("violations", violations) { violation, json in
                    json.object {
                        $0.member("pointer", violation.pointer)
                        $0.member("detail", violation.detail)
                    }
                }
            }
            if let limit {
                json.object("limit") {
                    $0.member("name", limit.name)
                    $0.member("max", limit.max)
                }
            }
            if let request { json.member("requestId", request.description) }
            if let current { json.member("current", raw: current.representation) }
        }
    }
}
