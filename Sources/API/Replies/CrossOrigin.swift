import HTTPServer

/// What pages of other origins may send and read, where they are let in (CORS, https://fetch.spec.whatwg.org). They have no
/// credentials but a token that they send themselves.
enum CrossOrigin {
    /// The fields of answers that a page may read, beyond those that every page may: all that say something of a resource or a
    /// request. A test compares them with those that are written.
    static let exposed = [
        "ETag", "Link", "Location", "Retry-After", "Lectern-Unchanged", "Idempotency-Replayed", "Preference-Applied",
        "X-Request-Id", "RateLimit", "RateLimit-Policy",
    ]

    /// The fields of requests that a page may send, beyond those that every page may.
    private static let taken: StaticString =
        "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id"

    /// How long a browser may remember what it was told; none does so for longer than Chromium, which takes two hours.
    private static let secondsMax = 7200

    /// Says which requests may follow the one that asks for them. What is no preflight gets nothing.
    static func answer(preflight request: borrowing Request, methods: [UInt8], _ response: inout ResponseWriter) {
        guard request.field("access-control-request-method") != nil else { return }
        response.field("Access-Control-Allow-Methods", methods)
        response.field("Access-Control-Allow-Headers", taken)
        response.field("Access-Control-Max-Age", secondsMax)
    }
}
