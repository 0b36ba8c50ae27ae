import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Lines for the person who operates the service, on standard error: a time, a level, a sentence.
public struct Log: Sendable {
    /// How much is said.
    public enum Level: String, Sendable, CaseIterable, Comparable {
        case error
        case info
        case debug

        /// What is said at a lesser level is said at a greater one too.
        public static func < (left: Level, right: Level) -> Bool {
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }

    /// The greatest level that is said.
    public let level: Level

    /// A log that says everything up to a level.
    public init(level: Level) { self.level = level }

    /// Something went wrong.
    public func error(_ message: @autoclosure () -> String) { say(.error, message()) }

    /// Something worth knowing happened.
    public func info(_ message: @autoclosure () -> String) { if level >= .info { say(.info, message()) } }

    /// Something happened.
    public func debug(_ message: @autoclosure () -> String) { if level >= .debug { say(.debug, message()) } }

    private func say(_ level: Level, _ message: String) {
        // One write a line: lines of several threads do not mix.
        let line = "\(Instant.now) \(level.rawValue) \(message.replacing("\n", with: "\\n"))\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
