import Synchronization

/// How often something may happen: so many times a second, and so many at once who was quiet before.
package struct Rate: Sendable, Equatable {
    package let perSecond: Int
    package let burst: Int

    package static let off = Rate(perSecond: 0, burst: 0)
    private static let most = 1_000_000_000

    /// As often as that; 0 for as often as one likes.
    package init(perSecond: Int, burst: Int) {
        self.perSecond = min(max(0, perSecond), Self.most)
        self.burst = perSecond > 0 ? min(max(1, burst), Self.most) : 0
    }

    /// `1000`, or `1000:5000` with what may come at once; else that is what comes in five seconds. Nil for anything else.
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

    /// Nanoseconds from one to the next; 0 where there is no limit.
    var interval: Int64 { perSecond > 0 ? max(1, 1_000_000_000 / Int64(perSecond)) : 0 }
    /// Seconds after which as many may come again as at first.
    var seconds: Int { perSecond > 0 ? max(1, (burst + perSecond - 1) / perSecond) : 0 }
}

/// A rate that has a name, and that can be set while it is asked for.
final class RateLimit: Sendable {
    /// Of the limit in problems, as `tokenRate`.
    let name: String
    /// Of the policy in fields, as `token`.
    let policy: String
    private let perSecond = Atomic<Int>(0)
    private let burst = Atomic<Int>(0)
    private let intervals = Atomic<Int64>(0)
    private let tolerances = Atomic<Int64>(0)

    init(_ policy: String, _ rate: Rate) {
        (self.policy, name) = (policy, policy + "Rate")
        self.rate = rate
    }

    /// What is read while it is set may be of both: that is over with the next request.
    var rate: Rate {
        get { Rate(perSecond: perSecond.load(ordering: .relaxed), burst: burst.load(ordering: .relaxed)) }
        set {
            perSecond.store(newValue.perSecond, ordering: .relaxed)
            burst.store(newValue.burst, ordering: .relaxed)
            tolerances.store(newValue.interval &* Int64(newValue.burst), ordering: .relaxed)
            intervals.store(newValue.interval, ordering: .relaxed)
        }
    }

    /// What is taken for something that weighs so much: never all that there can be, for the request that it comes with was paid for
    /// before, and it must pass once everything is there.
    @inline(__always)
    func price(of weight: Int) -> Int { weight == 1 ? 1 : min(weight, max(0, burst.load(ordering: .relaxed) - 1)) }

    /// See `Rate.interval`.
    @inline(__always)
    var interval: Int64 { intervals.load(ordering: .relaxed) }
    /// Nanoseconds that a burst is ahead of its time.
    @inline(__always)
    var tolerance: Int64 { tolerances.load(ordering: .relaxed) }
}

/// The rates of requests. Any thread.
package final class RateLimits: Sendable {
    /// What they are set to.
    package struct Rates: Sendable, Equatable {
        package var token: Rate
        package var reader: Rate
        package var address: Rate
        /// Nanoseconds of an event loop up to which work costs no more than a request.
        package var dearNanoseconds: Int64 = 1_000_000

        package init(token: Rate = .off, reader: Rate = .off, address: Rate = .off) {
            (self.token, self.reader, self.address) = (token, reader, address)
        }
    }

    let token: RateLimit
    let reader: RateLimit
    /// Of those who have not said who they are.
    let address: RateLimit
    /// See `Rates.dearNanoseconds`.
    let dearNanoseconds: Int64

    init(_ rates: Rates) {
        dearNanoseconds = rates.dearNanoseconds
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
