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
    private struct Key: Hashable {
        let kind: ResourceKind
        let id: ResourceID
    }

    private(set) var bytes = 0
    private let bytesMax: Int
    private var held: [Key: CachedRepresentation] = [:]
    private var order: [Key] = []
    private var oldest = 0

    /// The approximate size of an entry besides its bytes.
    private static let overhead = 160

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    subscript(_ kind: ResourceKind, _ id: ResourceID) -> CachedRepresentation? { held[Key(kind: kind, id: id)] }

    /// Stores a representation that was read.
    mutating func hold(_ representation: CachedRepresentation, of kind: ResourceKind, _ id: ResourceID) {
        hold(representation, Key(kind: kind, id: id))
    }

    private mutating func hold(_ representation: CachedRepresentation, _ key: Key) {
        if let known = held[key] {
            guard known.version < representation.version else { return }
            bytes -= known.bytes.count
        } else {
            bytes += Self.overhead
            order.append(key)
        }
        bytes += representation.bytes.count
        held[key] = representation
        while bytes > bytesMax, oldest < order.count {
            remove(order[oldest])
            oldest += 1
        }
        if oldest > 1024, oldest * 2 > order.count {
            order.removeFirst(oldest)
            oldest = 0
        }
    }

    private mutating func remove(_ key: Key) {
        guard let gone = held.removeValue(forKey: key) else { return }
        bytes -= gone.bytes.count + Self.overhead
    }

    /// Applies a change of a held representation.
    mutating func learn(_ change: Change) {
        let key = Key(kind: change.kind, id: change.id)
        guard let known = held[key], known.version < change.seq else { return }
        guard let value = change.value else { return remove(key) }
        hold(CachedRepresentation(version: change.seq, bytes: value, scope: change.scope), key)
    }
}
