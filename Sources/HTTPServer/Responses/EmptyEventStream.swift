/// The response to an EventSource that cannot be served now: a stream with nothing but a time to reconnect after. An
/// EventSource gives up for good on any status but 200.
package enum EmptyEventStream {
    /// Returns whether the client may be an EventSource. It sends no `Authorization`; a client that does can read a
    /// status.
    package static func isAsked(by request: borrowing Request) -> Bool {
        request.method == .get && request.field("authorization") == nil
            && MediaType.isNamed("text/event-stream", request)
    }

    /// Writes the whole response. The client reconnects after at least `seconds`, plus a random delay that spreads the
    /// clients. `reason` is one line for people, sent as a comment, which is no event.
    package static func write(after seconds: Int, reason: [UInt8], to response: inout ResponseWriter) {
        let milliseconds = (max(1, seconds) - 1) * 1000 + .random(in: 1000...4000)
        response.status(200)
        response.field("Cache-Control", "no-store")
        response.field("X-Accel-Buffering", "no")
        response.body(
            Array("retry: \(milliseconds)\n: ".utf8) + reason + [ASCII.lineFeed], type: "text/event-stream")
    }
}
