import HTTPServer
import Model
import Synchronization

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

/// The latest lines of the log, for requests by HTTP.
final class RecentServerLogRecords: Sendable {
    static let recordsMax = 1000

    private let records = Mutex<[ServerLogRecord]>([])

    func add(_ more: [ServerLogRecord]) {
        records.withLock { $0 = ($0 + more).suffix(Self.recordsMax) }
    }

    /// Returns the latest records of a level or a more severe one, the newest last.
    func last(_ count: Int, upTo level: ServerLogLevel) -> [ServerLogRecord] {
        records.withLock { $0 }.filter { $0.level <= level }.suffix(count)
    }
}
