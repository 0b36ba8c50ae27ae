import Synchronization

/// How often somebody may guess: each name, known or not, and each address has its own measure, which a guess fills and time empties.
/// The measures lie in a fixed number of places, found by hashes that nobody outside knows; each guess has two places, and the emptier
/// one counts. So no number of names or addresses takes more memory, and nothing is thrown out that a guesser would like to be
/// forgotten. Two names share both places once in 2^32; and the password thread, which is asked first, is too slow to fill many.
package final class Guesses: Sendable {
    /// How many may come at once, and after how many seconds one more.
    package struct Pace: Sendable {
        package let burst: Int
        package let seconds: Double

        package init(burst: Int, seconds: Double) { (self.burst, self.seconds) = (burst, seconds) }

        /// Half a minute between guesses at one name is some 3,000 a day.
        package static let ofName = Pace(burst: 10, seconds: 30)
        /// A house, or a proxy whose clients are not told apart, shares an address.
        package static let ofAddress = Pace(burst: 60, seconds: 2)
        /// Right passwords of one account: each takes as long as a wrong one.
        package static let ofSuccess = Pace(burst: 30, seconds: 5)
    }

    /// A guess that was counted: what it added to each of its places, of which a fuller one gets less.
    package struct Counted: Sendable {
        fileprivate let places: (Int, Int)
        fileprivate let added: (Double, Double)
    }

    /// A guess that comes too soon.
    package struct TooSoon: Error, Equatable {
        /// After how many seconds it may be made.
        package let seconds: Int
    }

    private static let placesMax = 1 << 15

    private struct State {
        /// When each place is empty again, in monotonic seconds.
        var emptyAt = [Double](repeating: 0, count: 2 * placesMax)
    }

    private let pace: Pace
    private let state = Mutex(State())

    package init(_ pace: Pace) { self.pace = pace }

    /// Counts a guess at what has that key; throws where it may not be made yet.
    package func admit(_ key: some Hashable, at now: Double) throws(TooSoon) -> Counted {
        let places = Self.places(of: key)
        let verdict: Result<Counted, TooSoon> = state.withLock { state in
            let before = (state.emptyAt[places.0], state.emptyAt[places.1])
            let next = max(min(before.0, before.1), now) + pace.seconds
            let excess = next - now - pace.seconds * Double(pace.burst)
            if excess > 0.001 { return .failure(TooSoon(seconds: max(1, Int(min(excess.rounded(.up), 86_400))))) }
            let floors = (max(before.0, now), max(before.1, now))
            let added = (max(0, next - floors.0), max(0, next - floors.1))
            state.emptyAt[places.0] = floors.0 + added.0
            state.emptyAt[places.1] = floors.1 + added.1
            return .success(Counted(places: places, added: added))
        }
        return try verdict.get()
    }

    /// Takes a guess back that was none: the password was right, or nobody looked at it. What others put into its places stays there.
    package func takeBack(_ counted: Counted) {
        state.withLock { state in
            state.emptyAt[counted.places.0] -= counted.added.0
            state.emptyAt[counted.places.1] -= counted.added.1
        }
    }

    /// Swift's hashes have a seed that is made with the process.
    private static func places(of key: some Hashable) -> (Int, Int) {
        var hasher = Hasher()
        hasher.combine(key)
        let hash = UInt(bitPattern: hasher.finalize())
        let mask = UInt(placesMax - 1)
        return (Int(hash & mask), placesMax + Int(hash >> 32 & mask))
    }
}
