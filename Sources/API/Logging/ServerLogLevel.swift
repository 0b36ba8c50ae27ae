import HTTPServer

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
    var logLevel: ServerLogLevel {
        if outcome == .streamEnd { return .debug }
        // A probe that reports "not ready" was served. The reason is logged once. See `Readiness`.
        if trace.route >= 0, Route.all[Int(trace.route)].isProbe { return .info }
        return status >= 500 && status != 501 && status != 505 ? .warning : .info
    }
}
