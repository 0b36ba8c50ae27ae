import Bytes
import Synchronization

/// Buckets for whoever there is, in a room that never grows and of which nobody is ever turned out: each has one in each of four rows,
/// which it shares with some others, and is refused only where all four are empty. Who comes with a thousand addresses empties a
/// part of each row, and one in some thousands of the others shares all four with them. Where the rows lie together nobody can know.
final class AddressBuckets: @unchecked Sendable {
    private static let rows = 4
    /// Of a row, as a power of two: 256 KiB in all.
    private static let widthBits = 13

    // SAFETY: `rows << widthBits` buckets, there as long as this is; each can be used by any thread.
    private let buckets: UnsafeMutablePointer<Bucket>
    private let seed = UInt64.random(in: .min ... .max)

    init() {
        buckets = .allocate(capacity: Self.rows << Self.widthBits)
        for index in 0..<(Self.rows << Self.widthBits) { (buckets + index).initialize(to: Bucket()) }
    }

    deinit {
        buckets.deinitialize(count: Self.rows << Self.widthBits)
        buckets.deallocate()
    }

    /// Takes out of all of them, or nothing, see `Bucket.take`.
    func take(_ weight: Int, _ limit: RateLimit, of address: IPAddress, at now: Int64) -> Int64 {
        guard limit.interval > 0 else { return .max }
        let party = address.party
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(party.high)
        hasher.combine(party.low)
        let hash = UInt(bitPattern: hasher.finalize())
        var best = Int64.min
        for row in 0..<Self.rows {
            let column = Int(truncatingIfNeeded: hash >> UInt(row * 16)) & (1 << Self.widthBits - 1)
            best = max(best, buckets[row << Self.widthBits + column].take(weight, limit, at: now))
        }
        return best
    }
}
