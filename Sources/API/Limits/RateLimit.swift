/// A rate limit: the number of requests per second, and the number of requests at once after a pause.
package struct RateLimit: Sendable, Equatable {
    package let perSecond: Int
    package let burst: Int
    /// The nanoseconds between two requests, or 0 if there is no limit.
    let interval: Int64
    /// The length of a burst in nanoseconds.
    let tolerance: Int64

    package static let off = RateLimit(perSecond: 0, burst: 0)
    private static let most = 1_000_000_000

    /// Creates a rate. A `perSecond` of 0 means no limit.
    package init(perSecond: Int, burst: Int) {
        self.perSecond = min(max(0, perSecond), Self.most)
        self.burst = perSecond > 0 ? min(max(1, burst), Self.most) : 0
        interval = perSecond > 0 ? max(1, 1_000_000_000 / Int64(self.perSecond)) : 0
        tolerance = interval &* Int64(self.burst)
    }

    /// Parses `1000`, or `1000:5000` with the burst. The default burst is the number for five seconds. Returns `nil`
    /// for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts.map { part in part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil }
        guard let first = numbers[0], first <= Self.most else { return nil }
        guard numbers.count == 2 else {
            self.init(perSecond: first, burst: min(first, Self.most / 5) * 5)
            return
        }
        guard let second = numbers[1], second <= Self.most, second > 0 || first == 0 else { return nil }
        self.init(perSecond: first, burst: second)
    }

    /// Returns the number of requests to take from a bucket for a weight. Of more than one request at most the burst minus
    /// one is taken, because one was `taken` before, and both must fit into a full bucket.
    @inline(__always)
    func price(of weight: Int, taken: Int = 0) -> Int {
        weight == 1 && taken == 0 ? 1 : min(weight, max(0, burst - 1))
    }
}

/// The rate limits of requests.
package struct RateLimits: Sendable, Equatable {
    package var token: RateLimit
    package var reader: RateLimit
    /// The limit for requests without credentials.
    package var address: RateLimit
    /// The time on an event loop, in nanoseconds, up to which a request is not charged for its time.
    package var unchargedNanosecondsMax: Int64 = 1_000_000

    package init(token: RateLimit = .off, reader: RateLimit = .off, address: RateLimit = .off) {
        (self.token, self.reader, self.address) = (token, reader, address)
    }
}
