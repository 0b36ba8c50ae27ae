import Synchronization

/// The number of refusals by each limit. Any thread.
final class LimitCounters: Sendable {
    /// The counts by the names of limits, which never come from a client.
    private let counts = Mutex<[String: Int]>([:])

    func record(_ limit: String) { counts.withLock { $0[limit, default: 0] += 1 } }

    /// The counts in the order of their names.
    var all: [(name: String, count: Int)] {
        counts.withLock { counts in counts.map { (name: $0.key, count: $0.value) } }.sorted { $0.name < $1.name }
    }
}
