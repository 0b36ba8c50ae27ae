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

    /// Updates the cache after a row was written. The transaction may still be rolled back.
    func update<Row: Resource>(_ row: Row, _ operation: ChangeOperation) {
        switch Row.kind {
        case .reading where readings[row.id] != nil: readings[row.id] = operation == .deleted ? nil : row as? Reading
        // A cached reading contains whether its reader is in a club.
        case .member, .club: forget()
        default: break
        }
    }

    /// Clears the cache, also after a rollback.
    func forget() { readings.removeAll(keepingCapacity: true) }
}
