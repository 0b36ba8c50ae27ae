package import Model

/// A subscriber's interests, its place in the log, and its events of this turn. It has no queue: a subscription that
/// falls behind is replayed from the log.
///
/// The exclusivity of its variables is unchecked, because the checks are most of the instructions of an event. An access
/// is one expression, which calls nothing outside of the variable's value.
package final class Subscription {
    /// A model that a part listens to, with the subscription's place in the model's audience, or -1 for none.
    struct ObservedModel {
        let model: ObservableModel
        var place: Int32
        let part: Int32
    }

    /// The caller's number for the subscriber.
    package let owner: UInt64
    /// The reader on whose behalf events are sent.
    package let viewer: Viewer
    @exclusivity(unchecked) package var parts: [SubscribedURL]
    @exclusivity(unchecked) package internal(set) var state: SubscriptionState
    /// A Boolean value indicating whether this turn's commits have events for the subscription.
    @exclusivity(unchecked) var isTouched = false
    /// The approximate size of the frames of `pending`, in bytes.
    @exclusivity(unchecked) var pendingBytes: Int32 = 0
    /// The `seq` of the last id that was sent.
    @exclusivity(unchecked) var lastSent: Int64
    /// The further parts of event ids, for a subscription whose parts have names.
    package let cursorState: StreamCursorState?
    /// The events of this turn's commits.
    @exclusivity(unchecked) var pending: [PendingEvent] = []
    /// The models of the parts' topics while the subscription exists.
    @exclusivity(unchecked) var registrations: [ObservedModel] = []

    /// Creates a subscription that has everything up to `cursor`, and `resourcesSent` resources of the change after it.
    package init(
        owner: UInt64, viewer: Viewer, _ parts: [SubscribedURL], cursor: Int64, resourcesSent: Int = 0,
        cursorState: StreamCursorState? = nil
    ) {
        self.owner = owner
        self.viewer = viewer
        self.parts = parts
        self.cursorState = cursorState
        state = SubscriptionState(cursor: cursor, resourcesSent: resourcesSent)
        lastSent = cursor
    }

    /// A Boolean value indicating whether the parts have names. Each event then lists the names that it concerns.
    package var isNamed: Bool { cursorState != nil }

    package var hasEnded: Bool { state.phase == .ended }

    /// Returns the topics of one part.
    package func topics(ofPart part: Int) -> [WatchTopic] {
        parts[part].entering.isEmpty
            ? registrations.lazy.filter { $0.part == part }.map { $0.model.topic } : parts[part].entering
    }

    /// The topics of all parts.
    package var topics: [WatchTopic] { parts.indices.flatMap { topics(ofPart: $0) } }

    /// A Boolean value indicating whether a part needs a new snapshot.
    package var needsSnapshot: Bool { parts.contains { $0.needsSnapshot } }

    /// A Boolean value indicating whether a part needs a new snapshot, a count or a check.
    package var isStale: Bool { parts.contains { $0.needsSnapshot || $0.needsCount } }

    /// Returns the index of the part with this name.
    package func part(named name: String) -> Int? { parts.firstIndex { $0.name == name } }

    /// Records that a snapshot of a part was made as of a change.
    package func settle(part: Int, at seq: Int64) {
        parts[part].needsSnapshot = false
        parts[part].since = max(parts[part].since, seq)
        if !needsSnapshot { cursorState?.viewsThrough = nil }
    }

    /// Records that every part has received everything up to the cursor. Later parts may receive less.
    package func catchUp() {
        for part in parts.indices { parts[part].since = max(parts[part].since, state.cursor) }
    }

    /// Marks the part of a registration for a new snapshot.
    func invalidate(at slot: Int) {
        let part = Int(registrations[slot].part)
        if !parts[part].needsSnapshot, !parts[part].isOver { invalidate(part: part, through: progress(of: part)) }
    }

    /// Returns the change up to which a part has received everything since the subscription became live.
    func progress(of part: Int) -> Int64 { max(state.cursor, parts[part].since) }

    /// Marks a part for a new snapshot. The subscriber has the part as of `through`.
    func invalidate(part: Int, through seq: Int64) {
        parts[part].needsSnapshot = true
        if let cursorState { cursorState.viewsThrough = min(cursorState.viewsThrough ?? seq, seq) }
    }

    /// Returns whether a change ends a part.
    func ends(part: Int, with change: Change) -> Bool {
        switch change.operation {
        case .deleted: parts[part].isPart(of: change) || change.endsOwnStream && isOwn(part, change)
        case .hidden, .raised, .undone: change.scope.reader == viewer.readerKey && isOwn(part, change)
        default: false
        }
    }

    /// Returns whether a change is of the single resource that a part shows.
    func isOwn(_ part: Int, _ change: Change) -> Bool {
        let topic = WatchTopic.resource(change.kind, change.id)
        return parts[part].filter == nil && topics(ofPart: part).contains(topic) && !parts[part].counts(topic)
    }
}
