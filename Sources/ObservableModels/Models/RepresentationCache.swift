package import Model

/// A representation held in memory, as `GET` sends it.
package struct CachedRepresentation: Sendable {
    /// The `seq` of the last change in it.
    package let version: Int64
    package let bytes: [UInt8]
    /// The audience.
    package let scope: ChangeScope
}

/// A cache of the latest representations that one loop has read, one for each resource. Every commit updates it. It is
/// bounded in bytes, and evicts the oldest entry first.
struct RepresentationCache {
    private(set) var bytes = 0
    private let bytesMax: Int
    private var held: [WatchTopic: CachedRepresentation] = [:]
    private(set) var order: [WatchTopic] = []
    private var oldest = 0

    /// The approximate size of an entry besides its bytes.
    private static let overhead = 160

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// The representation of a resource, or `nil` if none is held.
    subscript(_ topic: WatchTopic) -> CachedRepresentation? { held[topic] }

    /// Stores the representation of a resource.
    mutating func hold(_ representation: CachedRepresentation, of topic: WatchTopic) {
        if let known = held[topic] {
            guard known.version < representation.version else { return }
            bytes -= known.bytes.count
        } else {
            bytes += Self.overhead
            order.append(topic)
        }
        bytes += representation.bytes.count
        held[topic] = representation
        while bytes > bytesMax, oldest < order.count {
            remove(order[oldest])
            oldest += 1
        }
        if order.count > 2 * held.count + 1024 { compact() }
    }

    /// Removes the topics from the order that are not held any more, or occur a second time.
    private mutating func compact() {
        var known: Set<WatchTopic> = []
        order = order[oldest...].filter { held[$0] != nil && known.insert($0).inserted }
        oldest = 0
    }

    private mutating func remove(_ topic: WatchTopic) {
        guard let gone = held.removeValue(forKey: topic) else { return }
        bytes -= gone.bytes.count + Self.overhead
    }

    /// Applies a change of a held representation.
    mutating func learn(_ change: Change) {
        let topic = WatchTopic.resource(change.kind, change.id)
        guard let known = held[topic], known.version < change.seq else { return }
        guard let value = change.value else { return remove(topic) }
        hold(CachedRepresentation(version: change.seq, bytes: value, scope: change.scope), of: topic)
    }
}
