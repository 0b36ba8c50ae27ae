/// What is answered to an EventSource that cannot be served for now: a stream with nothing in it but when to come again. An
/// EventSource gives up for good on any status but 200.
package enum EmptyStream {
    /// Whether it may be an EventSource that asks. It sends no `Authorization`; who does can read a status.
    package static func isAsked(by request: borrowing Request) -> Bool {
        request.method == .get && request.field("authorization") == nil
            && MediaType.isNamed("text/event-stream", request)
    }

    /// Writes the whole answer. `seconds`: at least so long it stays away, and a little longer, so that not all come at once.
    /// `reason` is one line, for who reads along: a comment, which is no event.
    package static func write(after seconds: Int, reason: [UInt8], to response: inout ResponseWriter) {
        let milliseconds = (max(1, seconds) - 1) * 1000 + .random(in: 1000...4000)
        response.status(200)
        response.field("Cache-Control", "no-store")
        response.field("X-Accel-Buffering", "no")
        response.body(
            Array("retry: \(milliseconds)\n: ".utf8) + reason + [ASCII.lineFeed], type: "text/event-stream")
    }
}
