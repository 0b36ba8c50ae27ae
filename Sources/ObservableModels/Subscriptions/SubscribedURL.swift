package import Model

/// One watched URL of a subscription, with its topics, filter and place in the log.
package struct SubscribedURL: Sendable {
    /// Returns the topics to listen to in each group that the viewer is in, as a moderator or not.
    package typealias InEachGroup = @Sendable (_ group: Int64, _ viewer: Viewer, _ moderates: Bool) -> [WatchTopic]

    /// The name that the client gave it, or `nil` for the only part of a subscription to one URL.
    package let name: String?
    package let form: SubscribedEventForm
    /// The fields whose updates the subscriber wants, or `nil` for all.
    let fields: FieldSet?
    /// The filter of a list, or `nil` if the part watches no list.
    let filter: ListFilter?
    /// The key of the group that the viewer must be a member of, or `nil` for none.
    package let group: Int64?
    /// The resource that contains the part's resources, and whose deletion ends the part.
    private let whole: WatchTopic?
    /// The topics for each group of the viewer, or `nil` for none. See `InEachGroup`.
    let inEachGroup: InEachGroup?
    /// The topics that only affect the count beside the list.
    private let counted: [WatchTopic]
    /// The change up to which the subscriber has everything of this part.
    package var since: Int64
    /// A Boolean value indicating whether the part has ended and sends nothing any more.
    package internal(set) var isOver = false
    /// A Boolean value indicating whether a new snapshot is due, because the view may differ from the one that was
    /// sent.
    package var needsSnapshot = false
    /// A Boolean value indicating whether the count beside a list may differ from the one that was sent.
    package internal(set) var needsCount = false
    /// A Boolean value indicating whether the list has a count at present.
    package internal(set) var isCounting: Bool
    /// The topics to listen to when the subscription is registered.
    var entering: [WatchTopic]

    /// Creates a part whose subscriber has everything up to `since`. `topics` are those besides the topics of groups.
    package init(
        name: String? = nil, form: SubscribedEventForm = .events, topics: [WatchTopic], inEachGroup: InEachGroup? = nil,
        group: Int64? = nil,
        whole: WatchTopic? = nil, fields: FieldSet?, filter: ListFilter?, counted: [WatchTopic] = [], since: Int64
    ) {
        self.name = name
        self.form = form
        self.fields = fields
        self.filter = filter
        (self.group, self.whole, self.inEachGroup, self.counted) = (group, whole, inEachGroup, counted)
        self.since = since
        isCounting = !counted.isEmpty
        entering = topics.map { $0.filtered(by: filter) } + (whole.map { [$0] } ?? []) + counted
    }

    /// Marks the count for sending, if there may be one.
    package mutating func invalidateCount() { needsCount = hasCount && !isOver }

    /// Records that the count was read, with `nil` if there is none now.
    package mutating func settleCount(_ count: Int64?) { (needsCount, isCounting) = (false, hasCount && count != nil) }

    /// A Boolean value indicating whether the content depends on the reader's role in a group.
    package var followsRole: Bool { group != nil && inEachGroup != nil }

    /// A Boolean value indicating whether there may be a count beside the list.
    package var hasCount: Bool { !counted.isEmpty }

    /// Returns whether the part listens to a topic only for its count.
    func counts(_ topic: WatchTopic) -> Bool { counted.contains(topic) }

    /// Returns whether a change is of the resource that contains the part's resources.
    func isPart(of change: Change) -> Bool { whole?.has(change) ?? false }
}

/// The kind of events that a part sends.
package enum SubscribedEventForm: Sendable, Equatable {
    /// Changes, each as an event.
    case events
    /// A new snapshot after changes.
    case view
    /// Changes of the first rows of a list, each as an event, and a new snapshot if the changes are unknown.
    case window
}
