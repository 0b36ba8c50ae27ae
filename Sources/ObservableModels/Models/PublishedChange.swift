import JSON
import Model

/// A change on its way to its subscribers. Its parsed and encoded forms are made once, on first use.
final class PublishedChange {
    let change: Change
    private let epoch: LogEpoch
    private var places: [ListOrder: ListPlace] = [:]
    /// The frames, by event name and whether the event is the last of its transaction.
    private var frames = [[[UInt8]]](repeating: [], count: 2 * EventName.allCases.count)
    /// The members of the change's JSON, common to all frames.
    private lazy var body = Array(change.encoded().dropFirst().dropLast())
    private lazy var after = FilteredResource(change)
    private lazy var before = FilteredResource(change, isBefore: true)

    init(_ change: Change, epoch: LogEpoch) {
        self.change = change
        self.epoch = epoch
    }

    /// The published fields that differ after the change: all of them unless it is an update.
    var differing: FieldSet { change.operation == .updated ? change.changed : FieldSet(rawValue: .max) }

    /// Returns the frame of an event for a stream of one URL, in an array that its streams share.
    func frames(_ event: SubscribedEvent, isLast: Bool) -> [[UInt8]] {
        func made() -> [[UInt8]] { [EventFrame.change(change, body, as: event, epoch: epoch, isLast: isLast)] }
        guard event.reason == nil, event.neighbour == nil else { return made() }
        let index = 2 * Int(event.event.rawValue) + (isLast ? 1 : 0)
        if frames[index].isEmpty { frames[index] = made() }
        return frames[index]
    }

    /// Returns the frame for a stream with names.
    func frame(for events: [SubscribedEvent], id: [UInt8]?, isLast: Bool) -> [UInt8] {
        EventFrame.change(change, body, for: events, id: id, isLast: isLast)
    }

    /// Returns the event name for subscriptions to a list with a filter, or to no list. Returns `nil` if there is no
    /// event.
    func name(in filter: ListFilter?) -> EventName? {
        guard let filter else { return EventName(change.operation) }
        if change.operation == .unlocked { return filter.matches(after) ? .unlocked : nil }
        let isOld = change.operation != .created && !change.entersScope
        let was = isOld && filter.matches(before)
        let isNow = change.value != nil && filter.matches(after)
        switch (was, isNow) {
        case (false, true): return .enter
        case (true, false): return .leave
        // The recipients are not distinguished, and the resource may have become visible to one of them.
        case (true, true): return change.makesNameless ? .enter : .updated
        case (false, false): return nil
        }
    }

    /// Returns the resource's place after the change in a filtered list, or `nil` if the filter does not match.
    func place(in order: ListOrder, _ filter: ListFilter) -> ListPlace? {
        guard change.value != nil, filter.matches(after) else { return nil }
        if let known = places[order] { return known }
        let place = after.representation.flatMap { order.place(of: $0, key: change.key) }
        places[order] = place
        return place
    }

    /// Returns the change as it affects another row: a window shows that row now, or no longer shows it.
    func moving(_ row: WindowRow, isShown: Bool) -> PublishedChange {
        PublishedChange(
            Change(
                seq: change.seq, transaction: change.transaction, at: change.at, kind: change.kind, id: row.id,
                scope: change.scope, operation: .moved, changed: [], value: isShown ? row.bytes : nil, before: nil),
            epoch: epoch)
    }
}
