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

/// The records that are not written yet, up to a maximum.
final class ServerLogBuffer: Sendable {
    static let recordsMax = 16_384

    private struct State {
        var records: [ServerLogRecord] = []
        var dropped = 0
    }

    private let state = Mutex(State())

    func add(_ record: ServerLogRecord) {
        state.withLock { state in
            if state.records.count < Self.recordsMax { state.records.append(record) } else { state.dropped += 1 }
        }
    }

    /// Takes all records, in exchange for an empty array with capacity. Returns how many were dropped since the last
    /// call.
    func take(_ records: inout [ServerLogRecord]) -> Int {
        state.withLock { state in
            swap(&state.records, &records)
            defer { state.dropped = 0 }
            return state.dropped
        }
    }
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
