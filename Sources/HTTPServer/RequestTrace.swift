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
    /// Whether the time until its answer was its client's wish.
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

    static let statusAbandoned = 499

    init(_ trace: RequestTrace, status: Int, _ outcome: Outcome, fault: StaticString? = nil, at now: Int64) {
        (self.trace, self.status, self.outcome, self.fault) = (trace, status, outcome, fault)
        nanoseconds = outcome == .refusal ? 0 : max(0, now - trace.began)
    }
}
