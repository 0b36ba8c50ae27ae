/// How long to wait before the next attempt: what the server asks for, twice that after each failure, and up to half as much
/// again, so that those who were cut off together do not come back together.
struct Backoff {
    /// A wait that follows from failures alone is no longer.
    static let millisecondsMax = 15_000

    /// What the server asks for.
    private var retryMilliseconds = 1000
    private var failures = 0

    /// What a connection asks for. One that is live begins anew.
    mutating func heed(_ retryMilliseconds: Int?, isLive: Bool) {
        if isLive { failures = 0 }
        if let retryMilliseconds { self.retryMilliseconds = min(retryMilliseconds, 7 * 86_400_000) }
    }

    /// The wait before the next attempt, no shorter than one that was asked for.
    mutating func next(atLeastSeconds: Int = 0, using random: inout some RandomNumberGenerator) -> Duration {
        let longest = max(Self.millisecondsMax, retryMilliseconds)
        let wait = min(longest, max(retryMilliseconds, 100) << min(failures, 10))
        failures += 1
        let base = max(wait, min(max(atLeastSeconds, 0), 86_400) * 1000)
        return .milliseconds(base + Int.random(in: 0...base / 2, using: &random))
    }
}
