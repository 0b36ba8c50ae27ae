import HTTPServer
import Model

/// When those are told who ask too often: a while later, and so few a second that telling them takes next to none of a loop's time. A connection
/// that waits for its answer asks for nothing else. Where very many wait, the others are told at once, so that they hold no connections.
struct LateRefusals {
    static let millisecondsMin: Int64 = 100
    static let millisecondsBetween: Int64 = 1
    static let millisecondsMax: Int64 = 1000

    private var last: Int64 = 0

    /// After how many milliseconds the next one is told.
    mutating func next(now: Int64) -> Int {
        let due = max(last + Self.millisecondsBetween, now + Self.millisecondsMin)
        guard due <= now + Self.millisecondsMax else { return 0 }
        last = due
        return Int(due - now)
    }
}

extension APIHandler {
    func refuseLater(
        _ error: LecternError, toEventSource: Bool, _ connection: ConnectionID, _ response: inout ResponseWriter
    ) -> Disposition {
        let milliseconds = refusals.next(now: loop.now)
        guard milliseconds > 0 else {
            desk.refuse(error, toEventSource: toEventSource, &response)
            return .answered
        }
        response.trace.hasWaited = true
        loop.execute(after: milliseconds) { [self] in
            loop.answer(connection) { self.desk.refuse(error, toEventSource: toEventSource, &$0) }
        }
        return .deferred
    }
}
