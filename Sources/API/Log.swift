package import HTTPServer
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Lines for the person who operates the service, on standard error: a time, a level, a sentence.
package struct Log: Sendable {
    /// How much is said.
    package enum Level: String, Sendable, CaseIterable, Comparable {
        case error
        case info
        case debug

        /// What is said at a lesser level is said at a greater one too.
        package static func < (left: Level, right: Level) -> Bool {
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }

    /// The greatest level that is said.
    package let level: Level

    /// A log that says everything up to a level.
    package init(level: Level) { self.level = level }

    /// Something went wrong, maybe with a request.
    package func error(_ message: @autoclosure () -> String, of request: RequestID? = nil) {
        say(.error, message() + (request.map { " (request \($0))" } ?? ""))
    }

    /// Something worth knowing happened.
    package func info(_ message: @autoclosure () -> String) { if level >= .info { say(.info, message()) } }

    /// Something happened.
    package func debug(_ message: @autoclosure () -> String) { if level >= .debug { say(.debug, message()) } }

    private func say(_ level: Level, _ message: String) {
        // One write a line: lines of several threads do not mix.
        let line = "\(Instant.now) \(level.rawValue) \(message.replacing("\n", with: "\\n"))\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
