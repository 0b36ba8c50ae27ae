import HTTPServer
import Model

/// One line of the log, before it is formatted.
struct ServerLogRecord: Sendable {
    let time: Instant
    let level: ServerLogLevel
    let event: ServerLogEvent
}

enum ServerLogEvent: Sendable {
    /// A message, and the request that it belongs to if there is one.
    case message(String, RequestID?)
    case request(RequestEnd)
}
