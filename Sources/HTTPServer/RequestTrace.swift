/// What is kept of a request from its beginning to its end, however late that is.
package struct RequestTrace: Sendable {
    /// Nil only where no server asked: then no answer says any.
    package let id: RequestID?
    package let method: Method
    /// Monotonic nanoseconds.
    package let began: Int64
    /// Which of the application's routes it took; -1 for none.
    package var route: Int32 = -1
    /// On whose behalf it came, in 128 bits of the application's; 0 for nobody.
    package var subject: (high: UInt64, low: UInt64) = (0, 0)
    /// Whether a cookie says on whose behalf it came, or is refused: then caches must tell its answer from those to other cookies.
    package var isByCookie = false
    /// Whether the time until its answer was its client's wish, or what it has to wait who asks too often.
    package var hasWaited = false

    init(id: RequestID? = nil, method: Method = .other, began: Int64 = 0) {
        (self.id, self.method, self.began) = (id, method, began)
    }
}

/// How a request ended: said once of each, when its answer is written, or when nobody is there to have it.
package struct RequestEnd: Sendable {
    /// What it ended with.
    package enum Outcome: Sendable {
        case answer
        /// A stream began.
        case stream
        /// A stream that began is over: said besides.
        case streamEnd
        /// No handler has seen it.
        case refusal
        /// Its client went before there was an answer.
        case abandoned
    }

    package let trace: RequestTrace
    /// The status that was sent; 499 of one that was abandoned.
    package let status: Int
    /// From its last byte to the answer's first.
    package let nanoseconds: Int64
    package let outcome: Outcome
    /// Why a 500 went in the place of what was written.
    package let fault: StaticString?
    /// Why no handler has seen it.
    package let refusal: RefusalKind?

    static let statusAbandoned = 499

    init(
        _ trace: RequestTrace, status: Int, _ outcome: Outcome, fault: StaticString? = nil, at now: Int64
    ) {
        (self.trace, self.status, self.outcome, self.fault, refusal) = (trace, status, outcome, fault, nil)
        nanoseconds = max(0, now - trace.began)
    }

    init(_ trace: RequestTrace, refused kind: RefusalKind) {
        (self.trace, status, outcome, fault, refusal) = (trace, kind.status, .refusal, nil, kind)
        nanoseconds = 0
    }
}
