import Model
import Synchronization

/// The buckets of one token, and of its reader with all tokens. Event loops cache it with the token.
final class CallerTokenBuckets: Sendable {
    let token: SharedTokenBucket
    let reader: SharedTokenBucket

    init(token: SharedTokenBucket, reader: SharedTokenBucket) {
        self.token = token
        self.reader = reader
    }
}

/// The buckets of all tokens and readers. An event loop uses it once for a token that is not cached, not for each
/// request.
final class CallerTokenBucketTable: Sendable {
    private struct Buckets {
        var tokens: [ResourceID: SharedTokenBucket] = [:]
        var readers: [Int64: SharedTokenBucket] = [:]
        var max = CallerTokenBucketTable.restMax

        /// Removes full buckets that no loop holds. They equal new ones.
        mutating func sweep(at now: Int64) {
            guard tokens.count + readers.count > max else { return }
            Self.sweep(&tokens, at: now)
            Self.sweep(&readers, at: now)
            // The bound grows with the number of buckets, so that sweeping costs little for each.
            max = Swift.max(CallerTokenBucketTable.restMax, 2 * (tokens.count + readers.count))
        }

        private static func sweep<Key>(_ buckets: inout [Key: SharedTokenBucket], at now: Int64) {
            for key in Array(buckets.keys) where buckets[key]?.bucket.isFull(at: now) ?? false {
                // The bucket is tested in place, because a copy of the reference would count as a holder.
                if buckets[key] != nil, isKnownUniquelyReferenced(&buckets[key]!) { buckets[key] = nil }
            }
        }
    }

    /// The number of buckets below which none are swept.
    static let restMax = 20_000

    private let buckets = Mutex(Buckets())

    init() {}

    /// Returns the buckets of a viewer with a token, or `nil` over the local socket, which has no limits.
    func of(_ viewer: Viewer, at now: Int64) -> CallerTokenBuckets? {
        guard let token = viewer.token else { return nil }
        return buckets.withLock { buckets in
            buckets.sweep(at: now)
            return CallerTokenBuckets(
                token: Self.found(token, in: &buckets.tokens),
                reader: Self.found(viewer.readerKey, in: &buckets.readers)
            )
        }
    }

    var count: Int { buckets.withLock { $0.tokens.count + $0.readers.count } }

    private static func found<Key>(_ key: Key, in buckets: inout [Key: SharedTokenBucket]) -> SharedTokenBucket {
        if let bucket = buckets[key] { return bucket }
        let bucket = SharedTokenBucket()
        buckets[key] = bucket
        return bucket
    }
}
