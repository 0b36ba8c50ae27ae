import HTTPServer

/// The requests that pages of permitted origins may send, and the fields that they may read (CORS,
/// https://fetch.spec.whatwg.org). They have no credentials but a token that they send themselves.
enum CrossOriginRules {
    /// The response fields that a page may read, beyond those that every page may: all that describe a resource or a
    /// request. A test compares them with the fields that are written.
    static let exposed = [
        "ETag", "Link", "Location", "Retry-After", "Lectern-Unchanged", "Idempotency-Replayed", "Preference-Applied",
        "X-Request-Id",
    ]

    /// Returns the origins whose pages may read responses, or `nil` if there are none.
    static func allowed(_ origins: [WebOrigin]) -> AllowedOrigins? {
        AllowedOrigins(origins, exposed: exposed.joined(separator: ", "))
    }

    /// The request fields that a page may send, beyond those that every page may.
    private static let taken: StaticString =
        "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id"

    /// The time in seconds for which a browser may cache a preflight response. No browser does so for longer than
    /// Chromium, which takes two hours.
    private static let secondsMax = 7200

    /// Writes the fields of a preflight response. Requests that are no preflight get none.
    static func answer(preflight request: borrowing Request, methods: [UInt8], _ response: inout ResponseWriter) {
        guard request.field("access-control-request-method") != nil else { return }
        response.field("Access-Control-Allow-Methods", methods)
        response.field("Access-Control-Allow-Headers", taken)
        response.field("Access-Control-Max-Age", secondsMax)
    }
}
