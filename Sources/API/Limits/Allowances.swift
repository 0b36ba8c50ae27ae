import Model
import Synchronization

/// What one token may still do, and its reader with all tokens together. Event loops keep it beside what they know of the token.
final class Allowance: Sendable {
    let token: SharedBucket
    let reader: SharedBucket

    init(token: SharedBucket, reader: SharedBucket) {
        self.token = token
        self.reader = reader
    }
}

/// The buckets of all tokens and readers. An event loop asks once for a token that it does not remember, and never for each request.
final class Allowances: Sendable {
    private struct Buckets {
        var tokens: [ResourceID: SharedBucket] = [:]
        var readers: [Int64: SharedBucket] = [:]
        var max = Allowances.restMax

        /// Forgets those that are full, and that no loop has: they are as good as new ones.
        mutating func sweep(at now: Int64) {
            guard tokens.count + readers.count > max else { return }
            Self.sweep(&tokens, at: now)
            Self.sweep(&readers, at: now)
            // So that it costs little for each.
            max = Swift.max(Allowances.restMax, 2 * (tokens.count + readers.count))
        }

        private static func sweep<Key>(_ buckets: inout [Key: SharedBucket], at now: Int64) {
            for key in Array(buckets.keys) where buckets[key]?.bucket.isFull(at: now) ?? false {
                // In its place: whoever takes it out to look at it has it, too.
                if buckets[key] != nil, isKnownUniquelyReferenced(&buckets[key]!) { buckets[key] = nil }
            }
        }
    }

    /// Buckets that may be there before somebody looks which are still of use.
    static let restMax = 20_000

    private let buckets = Mutex(Buckets())

    init() {}

    /// Of a viewer with a token; nil over the local socket, where there are no limits.
    func of(_ viewer: Viewer, at now: Int64) -> Allowance? {
        guard let token = viewer.token else { return nil }
        return buckets.withLock { buckets in
            buckets.sweep(at: now)
            return Allowance(
                token: Self.found(token, in: &buckets.tokens),
                reader: Self.found(viewer.readerKey, in: &buckets.readers)
            )
        }
    }

    var count: Int { buckets.withLock { $0.tokens.count + $0.readers.count } }

    private static func found<Key>(_ key: Key, in buckets: inout [Key: SharedBucket]) -> SharedBucket {
        if let bucket = buckets[key] { return bucket }
        let bucket = SharedBucket()
        buckets[key] = bucket
        return bucket
    }
}
