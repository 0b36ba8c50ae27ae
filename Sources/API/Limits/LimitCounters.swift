import Synchronization

/// The number of refusals by each limit. Any thread.
final class LimitCounters: Sendable {
    /// The maximum number of names, greater than the number of limits. Names never come from a client.
    private static let namesMax = 100
    private let counts = Mutex<[String: Int]>([:])

    func record(_ limit: String) {
        counts.withLock { counts in
            guard counts[limit] != nil || counts.count < Self.namesMax else { return }
            counts[limit, default: 0] += 1
        }
    }

    /// The counts in the order of their names.
    var all: [(name: String, count: Int)] {
        counts.withLock { counts in counts.map { (name: $0.key, count: $0.value) } }.sorted { $0.name < $1.name }
    }
}
