package import HTTPServer
import Model
import Synchronization

/// What the person who operates the service is told, on standard error: of what happened, and of requests.
///
/// Whoever has something to say puts it down and goes on: a thread of its own writes it, so that a standard error that nobody reads stops
/// nobody. What does not fit is left out and counted, and the log says how much that was.
package final class Log: Sendable {
    /// How much is said.
    package enum Level: Int, Sendable, CaseIterable, Comparable {
        /// Faults of the service.
        case error
        /// And what goes wrong without being one: answers from 500 up, lines that were left out.
        case warning
        /// And what the service does; requests, where they are wanted.
        case info
        /// And every request, and every stream's end.
        case debug

        package init?(name: String) {
            guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
            self = level
        }

        /// What is said at a lesser level is said at a greater one too.
        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let levelNow: Atomic<Int>
    private let wantsRequests: Atomic<Bool>
    /// Of each event loop.
    private let ofLoops: [LogBuffer]
    private let ofOthers: LogBuffer
    /// The last that was said.
    let ring = LogRing()
    private let writer: LogWriter

    /// A log of so many event loops that says everything up to a level. It writes at once before it is started and after it is closed.
    package init(
        level: Level, saysRequests: Bool = false, format: LogFormat = .text, loops: Int = 0, descriptor: Int32 = 2
    ) {
        levelNow = Atomic(level.rawValue)
        wantsRequests = Atomic(saysRequests)
        ofLoops = (0..<loops).map { _ in LogBuffer() }
        ofOthers = LogBuffer()
        writer = LogWriter(ofLoops + [ofOthers], ring, format, descriptor: descriptor)
    }

    /// The greatest level that is said.
    package var level: Level {
        get { Level(rawValue: levelNow.load(ordering: .relaxed)) ?? .info }
        set { levelNow.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Whether every request is said at the level `info`.
    package var saysRequests: Bool {
        get { wantsRequests.load(ordering: .relaxed) }
        set { wantsRequests.store(newValue, ordering: .relaxed) }
    }

    /// Lines that were left out.
    var droppedCount: Int { writer.droppedCount }

    /// Something went wrong, maybe with a request.
    package func error(_ message: @autoclosure () -> String, of request: RequestID? = nil) {
        say(.error, message(), request)
    }

    /// Something is not as it should be.
    package func warning(_ message: @autoclosure () -> String) { if level >= .warning { say(.warning, message()) } }

    /// Something worth knowing happened.
    package func info(_ message: @autoclosure () -> String) { if level >= .info { say(.info, message()) } }

    /// Something happened.
    package func debug(_ message: @autoclosure () -> String) { if level >= .debug { say(.debug, message()) } }

    private func say(_ level: Level, _ message: String, _ request: RequestID? = nil) {
        ofOthers.add(LogRecord(time: .now, level: level, event: .said(message, request)))
        writer.wake()
    }

    /// A request of an event loop has ended.
    @inline(__always)
    func request(_ end: RequestEnd, loop: Int) {
        let level = end.logLevel
        let most = self.level
        guard level <= most, level < .info || most == .debug || level == .info && saysRequests else { return }
        ofLoops[loop].add(LogRecord(time: .now, level: level, event: .request(end)))
        writer.wake()
    }

    /// From now on another thread writes.
    func start() { writer.start() }

    /// Writes what is there, as far as anybody takes it within a second, and lets the thread end.
    package func close() { writer.close() }
}

extension RequestEnd {
    /// At what level a request is told: one that the service could not serve more loudly than others, and than those that nobody could: of a
    /// method, or a version of HTTP, that is not known.
    fileprivate var logLevel: Log.Level {
        if outcome == .streamEnd { return .debug }
        // A probe that hears that the service is not ready is served: why is told once, see `Readiness`.
        if trace.route >= 0, Route.all[Int(trace.route)].isProbe { return .info }
        return status >= 500 && status != 501 && status != 505 ? .warning : .info
    }
}
