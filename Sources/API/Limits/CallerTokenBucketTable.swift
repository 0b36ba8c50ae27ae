import Model
import Synchronization

/// The buckets of one token, and of its reader with all tokens. Event loops cache it with the token.
final class CallerTokenBuckets: Sendable {
    let token: TokenBucket
    let reader: TokenBucket

    init(token: TokenBucket, reader: TokenBucket) {
        self.token = token
        self.reader = reader
    }
}

/// The buckets of all tokens and readers. An event loop uses it once for a token that is not cached, not for each
/// request.
final class CallerTokenBucketTable: Sendable {
    private struct Buckets {
        /// The buckets by the ids of tokens and of readers.
        var byID: [ResourceID: TokenBucket] = [:]
        var max = CallerTokenBucketTable.restMax

        /// Removes full buckets that no loop holds. They equal new ones.
        mutating func sweep(at now: Int64) {
            guard byID.count > max else { return }
            for id in Array(byID.keys) where byID[id]?.isFull(at: now) ?? false {
                // The bucket is tested in place, because a copy of the reference would count as a holder.
                if byID[id] != nil, isKnownUniquelyReferenced(&byID[id]!) { byID[id] = nil }
            }
            // The bound grows with the number of buckets, so that sweeping costs little for each.
            max = Swift.max(CallerTokenBucketTable.restMax, 2 * byID.count)
        }

        mutating func bucket(of id: ResourceID) -> TokenBucket {
            if let bucket = byID[id] { return bucket }
            let bucket = TokenBucket()
            byID[id] = bucket
            return bucket
        }
    }

    /// The number of buckets below which none are swept.
    static let restMax = 20_000

    private let buckets = Mutex(Buckets())

    /// Returns the buckets of a viewer with a token, or `nil` over the local socket, which has no limits.
    func of(_ viewer: Viewer, at now: Int64) -> CallerTokenBuckets? {
        guard let token = viewer.token else { return nil }
        return buckets.withLock { buckets in
            buckets.sweep(at: now)
            return CallerTokenBuckets(token: buckets.bucket(of: token), reader: buckets.bucket(of: viewer.reader))
        }
    }

    var count: Int { buckets.withLock { $0.byID.count } }
}
