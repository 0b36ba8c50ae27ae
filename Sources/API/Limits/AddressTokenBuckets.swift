import Bytes
import Synchronization

/// Token buckets for client addresses, in a fixed-size table; entries are never evicted.
///
/// Each address has one bucket in each of four rows, which it shares with some others. It is refused only if all four
/// are empty. A client with a thousand addresses empties a part of each row. One in some thousands of the other
/// addresses shares all four buckets with it. A random seed keeps the collisions unpredictable.
final class AddressTokenBuckets: @unchecked Sendable {
    private static let rows = 4
    /// The number of buckets in a row, as a power of two: 256 KiB in all rows.
    private static let widthBits = 13

    // SAFETY: `rows << widthBits` buckets, allocated as long as this object exists. Any thread may use each of them.
    private let buckets: UnsafeMutablePointer<TokenBucket>
    private let seed = UInt64.random(in: .min ... .max)

    init() {
        buckets = .allocate(capacity: Self.rows << Self.widthBits)
        for index in 0..<(Self.rows << Self.widthBits) { (buckets + index).initialize(to: TokenBucket()) }
    }

    deinit {
        buckets.deinitialize(count: Self.rows << Self.widthBits)
        buckets.deallocate()
    }

    /// Takes a weight from the address's four buckets, and returns the best result. See `TokenBucket.take`.
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
