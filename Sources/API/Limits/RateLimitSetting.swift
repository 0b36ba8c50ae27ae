import Synchronization

/// A rate limit's setting: the number of requests per second, and the number of requests at once after a pause.
package struct RateLimitSetting: Sendable, Equatable {
    package let perSecond: Int
    package let burst: Int

    package static let off = RateLimitSetting(perSecond: 0, burst: 0)
    private static let most = 1_000_000_000

    /// Creates a rate. A `perSecond` of 0 means no limit.
    package init(perSecond: Int, burst: Int) {
        self.perSecond = min(max(0, perSecond), Self.most)
        self.burst = perSecond > 0 ? min(max(1, burst), Self.most) : 0
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

    /// The nanoseconds between two requests, or 0 if there is no limit.
    var interval: Int64 { perSecond > 0 ? max(1, 1_000_000_000 / Int64(perSecond)) : 0 }
    /// The number of seconds after which a full burst is available again.
    var seconds: Int { perSecond > 0 ? max(1, (burst + perSecond - 1) / perSecond) : 0 }
}

/// A named rate, which can change while requests use it.
final class RateLimit: Sendable {
    /// The limit's name in problems, such as `tokenRate`.
    let name: String
    /// The policy's name in fields, such as `token`.
    let policy: String
    private let perSecond = Atomic<Int>(0)
    private let burst = Atomic<Int>(0)
    private let intervals = Atomic<Int64>(0)
    private let tolerances = Atomic<Int64>(0)

    init(_ policy: String, _ rate: RateLimitSetting) {
        (self.policy, name) = (policy, policy + "Rate")
        self.rate = rate
    }

    /// The rate. A read during a change may mix old and new values; the next read does not.
    var rate: RateLimitSetting {
        get { RateLimitSetting(perSecond: perSecond.load(ordering: .relaxed), burst: burst.load(ordering: .relaxed)) }
        set {
            perSecond.store(newValue.perSecond, ordering: .relaxed)
            burst.store(newValue.burst, ordering: .relaxed)
            tolerances.store(newValue.interval &* Int64(newValue.burst), ordering: .relaxed)
            intervals.store(newValue.interval, ordering: .relaxed)
        }
    }

    /// Returns the number of requests to take from a bucket for a weight: at most the burst minus one. One request was
    /// taken before, and both must fit into a full bucket.
    @inline(__always)
    func price(of weight: Int) -> Int { weight == 1 ? 1 : min(weight, max(0, burst.load(ordering: .relaxed) - 1)) }

    /// The nanoseconds between two requests. See `RateLimitSetting.interval`.
    @inline(__always)
    var interval: Int64 { intervals.load(ordering: .relaxed) }
    /// The length of a burst in nanoseconds.
    @inline(__always)
    var tolerance: Int64 { tolerances.load(ordering: .relaxed) }
}

/// The rate limits of requests. Any thread.
package final class RateLimits: Sendable {
    /// The settings of the rate limits.
    package struct Rates: Sendable, Equatable {
        package var token: RateLimitSetting
        package var reader: RateLimitSetting
        package var address: RateLimitSetting
        /// The time on an event loop, in nanoseconds, up to which a request is not charged for its time.
        package var unchargedNanosecondsMax: Int64 = 1_000_000

        package init(token: RateLimitSetting = .off, reader: RateLimitSetting = .off, address: RateLimitSetting = .off)
        {
            (self.token, self.reader, self.address) = (token, reader, address)
        }
    }

    let token: RateLimit
    let reader: RateLimit
    /// The limit for requests without credentials.
    let address: RateLimit
    /// The time up to which work costs no more than a request. See `Rates.unchargedNanosecondsMax`.
    let unchargedNanosecondsMax: Int64

    init(_ rates: Rates) {
        unchargedNanosecondsMax = rates.unchargedNanosecondsMax
        token = RateLimit("token", rates.token)
        reader = RateLimit("reader", rates.reader)
        address = RateLimit("address", rates.address)
    }

    func limit(named name: String) -> RateLimit? { [token, reader, address].first { $0.name == name } }

    func set(_ rates: Rates) {
        token.rate = rates.token
        reader.rate = rates.reader
        address.rate = rates.address
    }
}
