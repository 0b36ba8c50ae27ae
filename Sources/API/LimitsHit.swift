import Synchronization

/// How often each limit has refused somebody. Any thread.
final class LimitsHit: Sendable {
    /// More names than there are limits: what a client says is none.
    private static let namesMax = 100
    private let counts = Mutex<[String: Int]>([:])

    func note(_ limit: String) {
        counts.withLock { counts in
            guard counts[limit] != nil || counts.count < Self.namesMax else { return }
            counts[limit, default: 0] += 1
        }
    }

    /// By name, in order.
    var all: [(name: String, count: Int)] {
        counts.withLock { counts in counts.map { (name: $0.key, count: $0.value) } }.sorted { $0.name < $1.name }
    }
}
