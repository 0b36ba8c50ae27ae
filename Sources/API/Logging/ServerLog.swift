package import HTTPServer
import Model
import Synchronization

/// The server's log for its operator, on standard error: messages and requests.
///
/// Callers append a record and continue. A separate thread writes the records, so a standard error that nobody reads
/// blocks no caller. Records beyond a bound are dropped and counted, and the log reports their number.
package final class ServerLog: Sendable {
    private let levelNow: Atomic<Int>
    private let wantsRequests: Atomic<Bool>
    private let writer: ServerLogWriter

    /// Creates a log that includes a level and all more severe ones. Records are written at once before `start` and
    /// after `close`.
    package init(
        level: ServerLogLevel, saysRequests: Bool = false, format: ServerLogFormat = .text, descriptor: Int32 = 2
    ) {
        levelNow = Atomic(level.rawValue)
        wantsRequests = Atomic(saysRequests)
        writer = ServerLogWriter(format, descriptor: descriptor)
    }

    /// The least severe level that is logged.
    package var level: ServerLogLevel {
        get { ServerLogLevel(rawValue: levelNow.load(ordering: .relaxed)) ?? .info }
        set { levelNow.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// A Boolean value indicating whether every request is logged at the level `info`.
    package var saysRequests: Bool {
        get { wantsRequests.load(ordering: .relaxed) }
        set { wantsRequests.store(newValue, ordering: .relaxed) }
    }

    /// The number of dropped lines.
    var droppedCount: Int { writer.droppedCount }
    /// Returns the latest records of a level or a more severe one, the newest last.
    func last(_ count: Int, upTo level: ServerLogLevel) -> [ServerLogRecord] { writer.last(count, upTo: level) }

    /// Logs a fault, and the request that it belongs to if there is one.
    package func error(_ message: @autoclosure () -> String, of request: RequestID? = nil) {
        write(.error, message(), request)
    }

    /// Logs an unusual condition.
    package func warning(_ message: @autoclosure () -> String) { if level >= .warning { write(.warning, message()) } }

    /// Logs an action of the service.
    package func info(_ message: @autoclosure () -> String) { if level >= .info { write(.info, message()) } }

    /// Logs a detail.
    package func debug(_ message: @autoclosure () -> String) { if level >= .debug { write(.debug, message()) } }

    private func write(_ level: ServerLogLevel, _ message: String, _ request: RequestID? = nil) {
        writer.add(ServerLogRecord(time: .now, level: level, event: .message(message, request)))
    }

    /// Logs the end of a request of an event loop.
    @inline(__always)
    func request(_ end: RequestEnd) {
        let level = end.logLevel
        let most = self.level
        guard level <= most, level < .info || most == .debug || level == .info && saysRequests else { return }
        writer.add(ServerLogRecord(time: .now, level: level, event: .request(end)))
    }

    /// Starts the thread that writes.
    func start() { writer.start() }

    /// Writes the remaining records, for at most a second, and ends the thread.
    package func close() { writer.close() }
}

/// The severity of a message.
package enum ServerLogLevel: Int, Sendable, CaseIterable, Comparable {
    /// Faults of the service.
    case error
    /// Unusual conditions that are no faults of the service: responses from 500 up, and dropped lines.
    case warning
    /// Actions of the service, and requests if they are enabled.
    case info
    /// Every request, and the end of every stream.
    case debug

    package init?(name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }

    /// Returns whether the left level is more severe. A log of one level includes all more severe ones.
    package static func < (left: ServerLogLevel, right: ServerLogLevel) -> Bool { left.rawValue < right.rawValue }
}

extension RequestEnd {
    /// The level at which a request is logged. Responses from 500 up are warnings, except those for an unknown method
    /// (501) or HTTP version (505), which no server could serve.
    fileprivate var logLevel: ServerLogLevel {
        if outcome == .streamEnd { return .debug }
        // A probe that reports "not ready" was served. The reason is logged once. See `Readiness`.
        if trace.route >= 0, Route.all[Int(trace.route)].isProbe { return .info }
        return status >= 500 && status != 501 && status != 505 ? .warning : .info
    }
}
