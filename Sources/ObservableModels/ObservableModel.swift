package import Model

/// The latest representation of a resource that was read lately: one an id and loop, brought up to date by every commit.
package struct ObservableModel: Sendable {
    /// The `seq` of the change that made it what it is.
    package let version: Int64
    /// Its representation, as `GET` sends it.
    package let bytes: [UInt8]
    /// Who may see it.
    package let scope: Scope
}

/// The models of one loop, bounded by the bytes they hold; the oldest ones give way.
struct ModelCache {
    struct Key: Hashable {
        let kind: ResourceKind
        let id: ResourceID
    }

    private(set) var bytes = 0
    private let bytesMax: Int
    private var models: [Key: ObservableModel] = [:]
    private var order: [Key] = []
    private var oldest = 0

    /// What a model takes besides its representation, roughly.
    private static let overhead = 160

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    func model(_ key: Key) -> ObservableModel? { models[key] }

    mutating func store(_ key: Key, _ model: ObservableModel) {
        if let known = models[key] {
            guard known.version < model.version else { return }
            bytes -= known.bytes.count
        } else {
            bytes += Self.overhead
            order.append(key)
        }
        bytes += model.bytes.count
        models[key] = model
        while bytes > bytesMax, oldest < order.count {
            remove(order[oldest])
            oldest += 1
        }
        if oldest > 1024, oldest * 2 > order.count {
            order.removeFirst(oldest)
            oldest = 0
        }
    }

    mutating func remove(_ key: Key) {
        guard let gone = models.removeValue(forKey: key) else { return }
        bytes -= gone.bytes.count + Self.overhead
    }

    /// Takes over a change of a model that is held.
    mutating func learn(_ change: Change) {
        let key = Key(kind: change.kind, id: change.id)
        guard let known = models[key], known.version < change.seq else { return }
        if let value = change.value {
            store(key, ObservableModel(version: change.seq, bytes: value, scope: change.scope))
        } else {
            remove(key)
        }
    }
}
