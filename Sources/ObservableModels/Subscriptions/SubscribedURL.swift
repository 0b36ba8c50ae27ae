package import Model

/// One watched URL of a subscription, with its topics, filter and place in the log.
package struct SubscribedURL: Sendable {
    /// Returns the topics to listen to in each group that the viewer is in, as a moderator or not.
    package typealias InEachGroup = @Sendable (_ group: Int64, _ viewer: Viewer, _ moderates: Bool) -> [WatchTopic]

    /// The name that the client gave it, or `nil` for the only URL of a subscription without names.
    package let name: String?
    /// The path with its query, from which snapshots are made.
    package internal(set) var url: String
    /// The filter of a list, or `nil` if the URL is not a list's.
    let filter: ListFilter?
    /// The other options, or `nil` for none, as for most resources.
    private let options: WatchOptions?
    /// The topics to listen to when the subscription is registered.
    var entering: [WatchTopic]
    /// The change up to which the subscriber has everything of this URL.
    package var since: Int64
    package let form: SubscribedEventForm
    /// A Boolean value indicating whether the log has every change of a view for its reader. If not, a view may have
    /// changed without a change in the log.
    package let isFullyLogged: Bool
    /// A Boolean value indicating whether the URL has ended and sends nothing any more.
    package internal(set) var isOver = false
    /// A Boolean value indicating whether a new snapshot is due, because the view may differ from the one that was
    /// sent.
    package var needsSnapshot = false
    /// A Boolean value indicating whether the count beside a list may differ from the one that was sent.
    package internal(set) var needsCount = false
    /// A Boolean value indicating whether the list has a count at present.
    package internal(set) var isCounting: Bool
    /// A Boolean value indicating whether the next view does not wait for the interval.
    package var isUrgent = false
    /// The digest of the view that the client has, or `nil` if it is unknown.
    package var viewDigest: [UInt8]?
    /// The count beside a list that the client has, or `nil` if there is none or it is unknown.
    package var count: Int64?
    /// A Boolean value indicating whether a new view is scheduled.
    package var isDue = false
    /// A Boolean value indicating whether reading the count is scheduled.
    package var isCountDue = false
    /// The minimum interval between two views, in milliseconds; 0 means at once.
    package let viewIntervalMilliseconds: Int32

    /// Creates a URL whose subscriber has everything up to `since`. `topics` are those besides the topics of groups.
    package init(
        name: String? = nil, url: String = "", form: SubscribedEventForm = .events, topics: [WatchTopic],
        inEachGroup: InEachGroup? = nil, group: Int64? = nil, whole: WatchTopic? = nil, fields: FieldSet?,
        filter: ListFilter?, counted: [WatchTopic] = [], isFullyLogged: Bool = true,
        viewIntervalMilliseconds: Int32 = 0, since: Int64
    ) {
        (self.name, self.url, self.form, self.filter, self.since) = (name, url, form, filter, since)
        (self.isFullyLogged, self.viewIntervalMilliseconds) = (isFullyLogged, viewIntervalMilliseconds)
        let isPlain = fields == nil && group == nil && whole == nil && inEachGroup == nil && counted.isEmpty
        options = isPlain ? nil : WatchOptions(fields, group, whole, inEachGroup, counted)
        isCounting = !counted.isEmpty
        entering = topics.map { $0.filtered(by: filter) } + (whole.map { [$0] } ?? []) + counted
    }

    /// The fields whose updates the subscriber wants, or `nil` for all.
    var fields: FieldSet? { options?.fields }

    /// The key of the group that the viewer must be a member of, or `nil` for none.
    package var group: Int64? { options?.group }

    /// The topics for each group of the viewer, or `nil` for none. See `InEachGroup`.
    var inEachGroup: InEachGroup? { options?.inEachGroup }

    /// Marks the count for sending, if there may be one.
    package mutating func invalidateCount() { needsCount = hasCount && !isOver }

    /// Records that the count was read, with `nil` if there is none now.
    package mutating func settleCount(_ count: Int64?) {
        (self.count, needsCount, isCounting) = (count, false, hasCount && count != nil)
    }

    /// A Boolean value indicating whether the content depends on the reader's role in a group.
    package var followsRole: Bool { group != nil && inEachGroup != nil }

    /// A Boolean value indicating whether there may be a count beside the list.
    package var hasCount: Bool { !(options?.counted.isEmpty ?? true) }

    /// Returns whether the URL listens to a topic only for its count.
    func counts(_ topic: WatchTopic) -> Bool { options?.counted.contains(topic) ?? false }

    /// Returns whether a change is of the resource that contains the URL's resources.
    func isContained(in change: Change) -> Bool { options?.whole?.has(change) ?? false }
}

/// The kind of events that a URL sends.
package enum SubscribedEventForm: Sendable, Equatable {
    /// Changes, each as an event.
    case events
    /// A new snapshot after changes.
    case view
    /// Changes of the first rows of a list, each as an event, and a new snapshot if the changes are unknown.
    case window
}
