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

    /// Takes in what was applied: a reading's new state, or something else that a reading shows.
    func learn(_ proposal: Proposal, _ outcome: Outcome?, at now: Instant) {
        switch proposal {
        case .reading(.some, var after?):
            guard let outcome, outcome.effect == .updated, readings[after.id] != nil else { return }
            after.version = outcome.version
            after.updatedAt = now
            readings[after.id] = after
        case .reading(let before, let after): if let id = (before ?? after)?.id { readings[id] = nil }
        // They show whether their reader is in a club.
        case .member, .club(.some, nil): forget()
        default: break
        }
    }

    /// What was learned did not come to be.
    func forget() { readings.removeAll(keepingCapacity: true) }
}
