import HTTPServer
import Model

/// The schedule of refusals by rate limits. They are sent after a delay, and so few a second that they take almost none
/// of a loop's time. Meanwhile the connection sends no further requests. If very many wait, further refusals are sent
/// at once, so that they hold no connections.
struct DelayedRefusals {
    static let millisecondsMin: Int64 = 100
    static let millisecondsBetween: Int64 = 1
    static let millisecondsMax: Int64 = 1000

    private var last: Int64 = 0

    /// Returns the delay of the next refusal, in milliseconds.
    mutating func next(now: Int64) -> Int {
        let due = max(last + Self.millisecondsBetween, now + Self.millisecondsMin)
        guard due <= now + Self.millisecondsMax else { return 0 }
        last = due
        return Int(due - now)
    }
}

extension APIHandler {
    /// Responds to a request with a problem, after a delay if it exceeds a rate limit.
    func refuse(
        _ error: RequestError, of request: borrowing Request, _ response: inout ResponseWriter
    ) -> HandlerResult {
        let (connection, toEventSource) = (request.connection, EmptyEventStream.isAsked(by: request))
        guard case .exceeded(.tooOften, _, _, _, _) = error, case let milliseconds = refusals.next(now: loop.now),
            milliseconds > 0
        else {
            pipeline.refuse(error, toEventSource: toEventSource, &response)
            return .answered
        }
        response.trace.hasWaited = true
        loop.execute(after: milliseconds) { [self] in
            loop.answer(connection) { self.pipeline.refuse(error, toEventSource: toEventSource, &$0) }
        }
        return .deferred
    }
}
