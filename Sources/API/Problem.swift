import HTTPServer
import JSON
import Model

/// An answer that says what went wrong (RFC 9457).
struct Problem {
    let status: Int
    let title: StaticString
    var detail: String
    var violations: [Violation] = []
    var limit: (name: String, max: Int)?
    var retryAfterSeconds: Int?
    var currentVersion: Int64?
    var accepted: String?

    /// The one place where errors become answers.
    init(_ error: LecternError) {
        switch error {
        case .malformed(let what):
            self.init(400, "Bad Request", what)
        case .unsupportedMediaType(let accepted):
            self.init(415, "Unsupported Media Type", "The body must be \(accepted), and Content-Type must say so.")
            self.accepted = accepted
        case .notAcceptable(let offered):
            self.init(406, "Not Acceptable", "This can be sent: \(offered).")
        case .notFound:
            self.init(404, "Not Found", "There is no such thing, or none that you may see.")
        case .conflict(let why):
            self.init(409, "Conflict", why)
        case .preconditionFailed(let version):
            self.init(
                412, "Precondition Failed", "The resource is not in the state that the request requires. Read it again."
            )
            currentVersion = version
        case .invalid(let violations):
            self.init(422, "Unprocessable Content", "The request breaks the rules that are listed.")
            self.violations = violations
        case .unauthenticated(let why):
            self.init(401, "Unauthorized", why)
        case .forbidden(let why):
            self.init(403, "Forbidden", why)
        case .tooLarge(let name, let max):
            self.init(413, "Content Too Large", "The limit \(name) is \(max).")
            limit = (name, max)
        case .tooManyRequests(let seconds):
            self.init(429, "Too Many Requests", "Try again in \(seconds) s.")
            retryAfterSeconds = seconds
        case .unavailable(let why, let seconds):
            self.init(503, "Service Unavailable", why)
            retryAfterSeconds = seconds
        case .outOfSpace:
            self.init(
                507, "Insufficient Storage",
                "The disk is full: nothing was written. Reading goes on; writing will, once there is room.")
        case .internalError:
            self.init(500, "Internal Server Error", "A fault of the server; its log says more.")
        }
    }

    /// A problem with a status of its own.
    init(_ status: Int, _ title: StaticString, _ detail: String) {
        self.status = status
        self.title = title
        self.detail = detail
    }

    /// Writes the whole answer.
    func write(to response: inout ResponseWriter, epoch: Epoch) {
        response.status(status)
        if let retryAfterSeconds { response.field("Retry-After", retryAfterSeconds) }
        if status == 401 { response.field("WWW-Authenticate", "Bearer realm=\"lectern\"") }
        if let accepted { response.field("Accept", accepted) }
        if let currentVersion { response.field("ETag", ETag.bytes(EventID(epoch: epoch, seq: currentVersion))) }
        response.field("Cache-Control", "no-store")
        response.body(encoded(), type: "application/problem+json")
    }

    func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.name("type")
        json.string(ascii: "about:blank")
        json.name("title")
        json.string(ascii: title)
        json.name("status")
        json.integer(Int64(status))
        json.name("detail")
        json.string(detail)
        if !violations.isEmpty { write(violations, to: &json) }
        if let limit {
            json.name("limit")
            json.beginObject()
            json.name("name")
            json.string(limit.name)
            json.name("max")
            json.integer(Int64(limit.max))
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }

    private func write(_ violations: [Violation], to json: inout JSONWriter) {
        json.name("violations")
        json.beginArray()
        for violation in violations {
            json.beginObject()
            json.name("pointer")
            json.string(violation.pointer)
            json.name("detail")
            json.string(violation.detail)
            json.endObject()
        }
        json.endArray()
    }
}
