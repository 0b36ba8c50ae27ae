/// The facts about a request that are kept until its end.
package struct RequestTrace: Sendable {
    /// The request's ID, or `nil` if none was assigned. The response then has no ID field.
    package let id: RequestID?
    package let method: HTTPMethod
    /// The monotonic nanoseconds at which the server began to process the request.
    package let began: Int64
    /// The application's route number, or -1.
    package var route: Int32 = -1
    /// The application's 128-bit identity of the client to which the request's time is charged, or 0 for none.
    package var subject: (high: UInt64, low: UInt64) = (0, 0)
    /// A Boolean value indicating whether a cookie authenticates the request, validly or not. Caches must then
    /// distinguish its response from those for other cookies.
    package var isByCookie = false
    /// A Boolean value indicating whether the response was delayed on purpose: at the client's request, or because it
    /// sends too many requests.
    package var hasWaited = false

    package init(id: RequestID? = nil, method: HTTPMethod = .other, began: Int64 = 0) {
        (self.id, self.method, self.began) = (id, method, began)
    }
}

/// The end of a request, reported once, when the response is written or can no longer be delivered.
package struct RequestEnd: Sendable {
    package let trace: RequestTrace
    /// The status that was sent, or 499 for an abandoned request.
    package let status: Int
    /// The nanoseconds from the request's last byte to the response's first.
    package let nanoseconds: Int64
    package let outcome: RequestOutcome
    /// The reason why a 500 replaced the written response.
    package let fault: StaticString?
    /// The kind of refusal, if no handler saw the request.
    package let refusal: RequestRefusalKind?

    static let statusAbandoned = 499

    init(
        _ trace: RequestTrace, status: Int, _ outcome: RequestOutcome, fault: StaticString? = nil,
        refusal: RequestRefusalKind? = nil, at now: Int64
    ) {
        (self.trace, self.status, self.outcome, self.fault, self.refusal) = (trace, status, outcome, fault, refusal)
        nanoseconds = max(0, now - trace.began)
    }
}

/// The way in which a request ended.
package enum RequestOutcome: Sendable {
    case answer
    /// A stream began.
    case stream
    /// A stream ended. This is reported in addition to its begin.
    case streamEnd
    /// The request was refused before a handler saw it.
    case refusal
    /// The client left before there was a response.
    case abandoned
}
