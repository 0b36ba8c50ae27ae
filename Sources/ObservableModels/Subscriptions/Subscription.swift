package import Model

/// A subscriber's interests, its place in the log, and its events of this turn. It has no queue: a subscription that
/// falls behind is replayed from the log.
///
/// The exclusivity of its variables is unchecked, because the checks are most of the instructions of an event. An access
/// is one expression, which calls nothing outside of the variable's value.
package final class Subscription {
    /// A URL's registration at a model that it listens to.
    struct Registration {
        let model: ObservableModel
        /// The index in the model's audience, or -1 while the subscription is not live.
        var audienceIndex: Int32
        /// The index of the URL in the subscription.
        let urlIndex: Int32
    }

    /// The caller's number for the subscriber.
    package let owner: UInt64
    /// The reader on whose behalf events are sent.
    package let viewer: Viewer
    @exclusivity(unchecked) package var urls: [SubscribedURL]
    @exclusivity(unchecked) package internal(set) var state: SubscriptionState
    /// A Boolean value indicating whether this turn's commits have events for the subscription.
    @exclusivity(unchecked) var isTouched = false
    /// The approximate size of the frames of `pending`, in bytes.
    @exclusivity(unchecked) var pendingBytes: Int32 = 0
    /// The `seq` of the last id that was sent.
    @exclusivity(unchecked) var lastSent: Int64
    /// The state of event ids besides the log's position, for a subscription whose URLs have names.
    package let cursorState: StreamCursorState?
    /// The events of this turn's commits.
    @exclusivity(unchecked) var pending: [PendingEvent] = []
    /// The registrations at the models of the URLs' topics, while the subscription exists.
    @exclusivity(unchecked) var registrations: [Registration] = []

    /// Creates a subscription that has everything up to `cursor`, and `resourcesSent` resources of the change after it.
    package init(
        owner: UInt64, viewer: Viewer, _ urls: [SubscribedURL], cursor: Int64, resourcesSent: Int = 0,
        cursorState: StreamCursorState? = nil
    ) {
        self.owner = owner
        self.viewer = viewer
        self.urls = urls
        self.cursorState = cursorState
        state = SubscriptionState(cursor: cursor, resourcesSent: resourcesSent)
        lastSent = cursor
    }

    /// A Boolean value indicating whether the URLs have names. Each event then lists the names that it concerns.
    package var isNamed: Bool { cursorState != nil }

    package var hasEnded: Bool { state.phase == .ended }

    /// Returns the topics of one URL.
    package func topics(ofURLAt index: Int) -> [WatchTopic] {
        urls[index].entering.isEmpty
            ? registrations.lazy.filter { $0.urlIndex == index }.map { $0.model.topic } : urls[index].entering
    }

    /// The topics of all URLs.
    package var topics: [WatchTopic] { urls.indices.flatMap { topics(ofURLAt: $0) } }

    /// A Boolean value indicating whether a URL needs a new snapshot.
    package var needsSnapshot: Bool { urls.contains { $0.needsSnapshot } }

    /// A Boolean value indicating whether a URL needs a new snapshot, a count or a check.
    package var isStale: Bool { urls.contains { $0.needsSnapshot || $0.needsCount } }

    /// Returns the index of the URL with this name.
    package func indexOfURL(named name: String) -> Int? { urls.firstIndex { $0.name == name } }

    /// Records that a snapshot of a URL was made as of a change.
    package func settle(urlAt index: Int, at seq: Int64) {
        urls[index].needsSnapshot = false
        urls[index].since = max(urls[index].since, seq)
        if !needsSnapshot { cursorState?.viewsThrough = nil }
    }

    /// Records that every URL has received everything up to the cursor. Later URLs may receive less.
    package func catchUp() {
        for index in urls.indices { urls[index].since = max(urls[index].since, state.cursor) }
    }

    /// Marks the URL of a registration for a new snapshot.
    func invalidate(at registration: Int) {
        let index = Int(registrations[registration].urlIndex)
        if !urls[index].needsSnapshot, !urls[index].isOver { invalidate(urlAt: index, through: progress(of: index)) }
    }

    /// Returns the change up to which a URL has received everything since the subscription became live.
    func progress(of index: Int) -> Int64 { max(state.cursor, urls[index].since) }

    /// Marks a URL for a new snapshot. The subscriber has the URL as of `through`.
    func invalidate(urlAt index: Int, through seq: Int64) {
        urls[index].needsSnapshot = true
        if let cursorState { cursorState.viewsThrough = min(cursorState.viewsThrough ?? seq, seq) }
    }

    /// Returns whether a change ends a URL.
    func ends(urlAt index: Int, with change: Change) -> Bool {
        switch change.operation {
        case .deleted: urls[index].isContained(in: change) || change.endsOwnStream && isOwn(index, change)
        case .hidden, .raised, .undone: change.scope.reader == viewer.readerKey && isOwn(index, change)
        default: false
        }
    }

    /// Returns whether a change is of the single resource that a URL shows.
    func isOwn(_ index: Int, _ change: Change) -> Bool {
        let topic = WatchTopic.resource(change.kind, change.id)
        return urls[index].filter == nil && topics(ofURLAt: index).contains(topic) && !urls[index].counts(topic)
    }
}
