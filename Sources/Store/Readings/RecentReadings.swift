import Model

/// The readings that the writer has dealt with lately, as they are: whoever records progress records more of it, and
/// finding the reading anew each time takes a tenth of the writer's time. Only the writer writes, so it knows when they change.
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

    /// Takes in what a reading was made; nil where it is not there any more, or was not before.
    func learn(_ id: ResourceID, is reading: Reading?) {
        guard readings[id] != nil else { return }
        readings[id] = reading
    }

    /// What was learned did not come to be.
    func forget() { readings.removeAll(keepingCapacity: true) }
}
