/// The delay before the next connection attempt. It starts at the server's `retry` time and doubles after each failure.
/// A random addition of up to half spreads clients that were disconnected together.
struct ReconnectionBackoff {
    /// The maximum delay that failures alone lead to.
    static let millisecondsMax = 15_000

    /// The delay that the server asks for.
    private var retryMilliseconds = 1000
    private var failures = 0

    /// Adopts a connection's `retry` time. A live connection resets the failures.
    mutating func apply(_ retryMilliseconds: Int?, isLive: Bool) {
        if isLive { failures = 0 }
        if let retryMilliseconds { self.retryMilliseconds = min(retryMilliseconds, 7 * 86_400_000) }
    }

    /// Returns the delay before the next attempt, which is at least the one that was asked for.
    mutating func next(atLeastSeconds: Int = 0, using random: inout some RandomNumberGenerator) -> Duration {
        let longest = max(Self.millisecondsMax, retryMilliseconds)
        let wait = min(longest, max(retryMilliseconds, 100) << min(failures, 10))
        failures += 1
        let base = max(wait, min(max(atLeastSeconds, 0), 86_400) * 1000)
        return .milliseconds(base + Int.random(in: 0...base / 2, using: &random))
    }
}
