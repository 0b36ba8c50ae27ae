import Synchronization

/// A rate limiter of password guesses, with a leaky bucket for each name, known or not, and each address. The buckets
/// are in a fixed table, at indexes from hashes with a secret seed. Each guess has two buckets, and the emptier one
/// counts. Thus memory does not depend on the number of names or addresses, and an attacker cannot evict a bucket. Two
/// names share both buckets once in 2^32. The password thread must accept a guess first, and is too slow for guesses to
/// fill many buckets.
package final class GuessLimiter: Sendable {
    /// A counted guess: the amounts it added to its two buckets. The fuller one gets less.
    package struct CountedGuess: Sendable {
        fileprivate let places: (Int, Int)
        fileprivate let added: (Double, Double)
    }

    /// The error of a guess that comes too soon.
    package struct TooSoon: Error, Equatable {
        /// The seconds until the guess is allowed.
        package let seconds: Int
    }

    private static let placesMax = 1 << 15

    private let pace: PasswordGuessRate
    /// The monotonic seconds at which each bucket is empty again.
    private let emptyAt = Mutex([Double](repeating: 0, count: 2 * placesMax))

    package init(_ pace: PasswordGuessRate) { self.pace = pace }

    /// Counts a guess for a key. Throws if it is not allowed yet.
    package func admit(_ key: some Hashable, at now: Double) throws(TooSoon) -> CountedGuess {
        let places = Self.places(of: key)
        return try emptyAt.withLock { emptyAt throws(TooSoon) in
            let before = (emptyAt[places.0], emptyAt[places.1])
            let next = max(min(before.0, before.1), now) + pace.seconds
            let excess = next - now - pace.seconds * Double(pace.burst)
            if excess > 0.001 { throw TooSoon(seconds: max(1, Int(min(excess.rounded(.up), 86_400)))) }
            let floors = (max(before.0, now), max(before.1, now))
            let added = (max(0, next - floors.0), max(0, next - floors.1))
            emptyAt[places.0] = floors.0 + added.0
            emptyAt[places.1] = floors.1 + added.1
            return CountedGuess(places: places, added: added)
        }
    }

    /// Removes a counted guess that was correct, or that was not checked. The amounts of other guesses in its buckets
    /// stay.
    package func takeBack(_ counted: CountedGuess) {
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

/// The rate of a limiter: a burst, and the seconds until one more guess is allowed.
package struct PasswordGuessRate: Sendable {
    package let burst: Int
    package let seconds: Double

    package init(burst: Int, seconds: Double) { (self.burst, self.seconds) = (burst, seconds) }

    /// The rate for one name. Half a minute between guesses is about 3,000 a day.
    package static let ofName = PasswordGuessRate(burst: 10, seconds: 30)
    /// The rate for an address, which a household shares, or all clients of a proxy that does not identify them.
    package static let ofAddress = PasswordGuessRate(burst: 60, seconds: 2)
    /// The rate of correct passwords of one account, because each takes as long to check as a wrong one.
    package static let ofSuccess = PasswordGuessRate(burst: 30, seconds: 5)
}
