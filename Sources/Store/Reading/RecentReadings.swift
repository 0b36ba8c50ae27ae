import Model

/// A cache of the current values of readings that commands used recently. A reader often records several entries, and
/// finding the reading each time takes a tenth of the writer's time. Only the writer writes, so it knows when they
/// change.
///
/// Confined to the writer's thread.
final class RecentReadings {
    private var readings: [ResourceID: Reading] = [:]
    private static let countMax = 8192

    subscript(_ id: ResourceID) -> Reading? { readings[id] }

    func keep(_ reading: Reading) {
        if readings.count >= Self.countMax { readings.removeAll(keepingCapacity: true) }
        readings[reading.id] = reading
    }

    /// Updates a cached reading after a write; `nil` removes it.
    func learn(_ id: ResourceID, is reading: Reading?) {
        guard readings[id] != nil else { return }
        readings[id] = reading
    }

    /// Clears the cache after a rollback.
    func forget() { readings.removeAll(keepingCapacity: true) }
}
