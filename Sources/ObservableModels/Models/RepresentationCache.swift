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
    /// A resource.
    struct Key: Hashable {
        let id: ResourceID
        let kind: ResourceKind

        /// The word under which the cache holds the resource. A dictionary hashes a word faster than a structure.
        fileprivate var word: UInt64 { id.high ^ id.low &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(kind.rawValue) }
    }

    private(set) var bytes = 0
    private let bytesMax: Int
    /// The entries by word. Of two resources with the same word, the latest is held.
    private var held: [UInt64: (key: Key, representation: CachedRepresentation)] = [:]
    private(set) var order: [Key] = []
    private var oldest = 0

    /// The approximate size of an entry besides its bytes.
    private static let overhead = 160

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// The representation of a resource, or `nil` if none is held.
    subscript(_ key: Key) -> CachedRepresentation? {
        guard let entry = held[key.word], entry.key == key else { return nil }
        return entry.representation
    }

    /// Stores the representation of a resource.
    mutating func hold(_ representation: CachedRepresentation, of key: Key) {
        if let known = self[key] {
            guard known.version < representation.version else { return }
            bytes -= known.bytes.count
        } else {
            if let other = held[key.word] { remove(other.key) }
            bytes += Self.overhead
            order.append(key)
        }
        bytes += representation.bytes.count
        held[key.word] = (key, representation)
        while bytes > bytesMax, oldest < order.count {
            remove(order[oldest])
            oldest += 1
        }
        if order.count > 2 * held.count + 1024 { compact() }
    }

    /// Removes the keys from the order that are not held any more, or occur a second time.
    private mutating func compact() {
        var known: Set<Key> = []
        order = order[oldest...].filter { self[$0] != nil && known.insert($0).inserted }
        oldest = 0
    }

    private mutating func remove(_ key: Key) {
        guard let gone = self[key] else { return }
        held[key.word] = nil
        bytes -= gone.bytes.count + Self.overhead
    }

    /// Applies a change of a held representation.
    mutating func learn(_ change: Change) {
        let key = Key(id: change.id, kind: change.kind)
        guard let known = self[key], known.version < change.seq else { return }
        guard let value = change.value else { return remove(key) }
        hold(CachedRepresentation(version: change.seq, bytes: value, scope: change.scope), of: key)
    }
}
