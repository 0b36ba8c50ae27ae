import HTTPServer
import Model
import Synchronization

/// One line of the log, before anybody has written it.
struct LogRecord: Sendable {
    enum Event: Sendable {
        /// Words, maybe of a request.
        case said(String, RequestID?)
        case request(RequestEnd)
    }

    let time: Instant
    let level: Log.Level
    let event: Event
}

/// What one thread has to say and nobody has written yet: so many lines and no more.
final class LogBuffer: Sendable {
    static let recordsMax = 16_384

    private struct State {
        var records: [LogRecord] = []
        var dropped = 0
    }

    private let state = Mutex(State())

    func add(_ record: LogRecord) {
        state.withLock { state in
            if state.records.count < Self.recordsMax { state.records.append(record) } else { state.dropped += 1 }
        }
    }

    /// Takes all that is there, in exchange for an empty array with room, and how many were left out since the last time.
    func take(_ records: inout [LogRecord]) -> Int {
        state.withLock { state in
            swap(&state.records, &records)
            defer { state.dropped = 0 }
            return state.dropped
        }
    }
}

/// The last lines of the log, for who asks by HTTP.
final class LogRing: Sendable {
    static let recordsMax = 1000

    private let records = Mutex<(all: [LogRecord], next: Int)>(([], 0))

    func add(_ more: [LogRecord]) {
        records.withLock { records in
            for record in more.suffix(Self.recordsMax) {
                if records.all.count < Self.recordsMax {
                    records.all.append(record)
                } else {
                    records.all[records.next] = record
                }
                records.next = (records.next + 1) % Self.recordsMax
            }
        }
    }

    /// The last of a level, or of lesser ones, the newest last.
    func last(_ count: Int, upTo level: Log.Level) -> [LogRecord] {
        let all = records.withLock { records in
            records.all.count < Self.recordsMax
                ? records.all : Array(records.all[records.next...] + records.all[..<records.next])
        }
        return all.filter { $0.level <= level }.suffix(count)
    }
}
