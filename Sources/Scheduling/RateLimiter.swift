import Synchronization

/// A rate limiter of events that anyone can cause, such as password guesses, with a leaky bucket for each key: a name,
/// known or not, or an address. The buckets are in a fixed table, at indexes from hashes with a secret seed. Each event
/// has two buckets, and the emptier one counts. Thus memory does not depend on the number of keys, and an attacker
/// cannot evict a bucket. Two keys share both buckets once in 2^30.
package final class RateLimiter: Sendable {
    /// A rate: the number of events at once after a pause, and the seconds until one more is allowed.
    package struct Rate: Sendable {
        package let burst: Int
        package let seconds: Double

        package init(burst: Int, seconds: Double) { (self.burst, self.seconds) = (burst, seconds) }
    }

    /// A counted event: the amounts it added to its two buckets. The fuller one gets less.
    package struct CountedEvent: Sendable {
        fileprivate let places: (Int, Int)
        fileprivate let added: (Double, Double)
    }

    /// The error of an event that comes too soon.
    package struct TooSoon: Error, Equatable {
        /// The seconds until the event is allowed.
        package let seconds: Int
    }

    private static let placesMax = 1 << 15

    /// The monotonic seconds at which each bucket is empty again.
    private let emptyAt = Mutex([Double](repeating: 0, count: 2 * placesMax))

    package init() {}

    /// Counts an event of a key. Throws if it is not allowed yet. All events of a key have the same rate.
    @discardableResult
    package func admit(_ key: some Hashable, _ rate: Rate, at now: Double) throws(TooSoon) -> CountedEvent {
        let places = Self.places(of: key)
        return try emptyAt.withLock { emptyAt throws(TooSoon) in
            let before = (emptyAt[places.0], emptyAt[places.1])
            let next = max(min(before.0, before.1), now) + rate.seconds
            let excess = next - now - rate.seconds * Double(rate.burst)
            // The sums of seconds are not exact.
            if excess > 1e-6 { throw TooSoon(seconds: max(1, Int(min((excess - 1e-6).rounded(.up), 86_400)))) }
            let floors = (max(before.0, now), max(before.1, now))
            let added = (max(0, next - floors.0), max(0, next - floors.1))
            emptyAt[places.0] = floors.0 + added.0
            emptyAt[places.1] = floors.1 + added.1
            return CountedEvent(places: places, added: added)
        }
    }

    /// Removes a counted event, such as a guess that was correct. The amounts of other events in its buckets stay.
    package func takeBack(_ counted: CountedEvent) {
        emptyAt.withLock { emptyAt in
            emptyAt[counted.places.0] -= counted.added.0
            emptyAt[counted.places.1] -= counted.added.1
        }
    }

    /// Returns the buckets of a key. Swift's hashes have a random seed for each process.
    private static func places(of key: some Hashable) -> (Int, Int) {
        var hasher = Hasher()
        hasher.combine(key)
        let hash = UInt(bitPattern: hasher.finalize())
        let mask = UInt(placesMax - 1)
        return (Int(hash & mask), placesMax + Int(hash >> 32 & mask))
    }
}
