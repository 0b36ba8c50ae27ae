package import Model

/// One watched URL of a subscription, with its topics, filter and place in the log.
package struct SubscribedURL: Sendable {
    /// Returns the topics to listen to in each club that the viewer is in, as a moderator or not.
    package typealias InEachClub = @Sendable (_ club: Int64, _ viewer: Viewer, _ moderates: Bool) -> [WatchTopic]

    /// The rarely used properties. They are a separate object to keep parts small.
    final class Details: Sendable {
        let club: Int64?
        let whole: WatchTopic?
        let inEachClub: InEachClub?
        let counted: [WatchTopic]

        init?(club: Int64?, whole: WatchTopic?, inEachClub: InEachClub?, counted: [WatchTopic]) {
            guard club != nil || whole != nil || inEachClub != nil || !counted.isEmpty else { return nil }
            (self.club, self.whole, self.inEachClub, self.counted) = (club, whole, inEachClub, counted)
        }
    }

    /// The name that the client gave it, or `nil` for the only part of a subscription to one URL.
    package let name: String?
    package let form: SubscribedEventForm
    /// The fields whose updates the subscriber wants, or `nil` for all.
    let fields: FieldSet?
    /// The filter of a list, or `nil` if the part watches no list.
    let filter: ListFilter?
    private let bounds: Details?
    /// The change up to which the subscriber has everything of this part.
    package var since: Int64
    /// A Boolean value indicating whether the part has ended and sends nothing any more.
    package internal(set) var isOver = false
    /// A Boolean value indicating whether a new snapshot is due, because the view may differ from the one that was
    /// sent.
    package internal(set) var needsSnapshot = false
    /// A Boolean value indicating whether the count beside a list may differ from the one that was sent.
    package internal(set) var needsCount = false
    /// A Boolean value indicating whether the list has a count at present.
    package internal(set) var isCounting: Bool
    /// The topics to listen to when the subscription is seated.
    var entering: [WatchTopic]

    /// Creates a part whose subscriber has everything up to `since`.
    ///
    /// - Parameters:
    ///   - inEachClub: Returns the topics for each club that the viewer is in.
    ///   - club: The key of the club that the viewer must be a member of.
    ///   - whole: The resource that contains the part's resources, and whose deletion ends the part.
    ///   - counted: The topics that only affect the count beside the list.
    package init(
        name: String? = nil, form: SubscribedEventForm = .events, topics: [WatchTopic], inEachClub: InEachClub? = nil,
        club: Int64? = nil,
        whole: WatchTopic? = nil, fields: FieldSet?, filter: ListFilter?, counted: [WatchTopic] = [], since: Int64
    ) {
        self.name = name
        self.form = form
        self.fields = fields
        self.filter = filter
        bounds = Details(club: club, whole: whole, inEachClub: inEachClub, counted: counted)
        self.since = since
        isCounting = !counted.isEmpty
        entering = topics.map { $0.filtered(by: filter) } + (whole.map { [$0] } ?? []) + counted
    }

    /// Marks the count for sending, if there may be one.
    package mutating func invalidateCount() { needsCount = hasCount && !isOver }

    /// Records that the count was read, with `nil` if there is none now.
    package mutating func settleCount(_ count: Int64?) { (needsCount, isCounting) = (false, hasCount && count != nil) }

    /// Marks a view for a new snapshot.
    package mutating func invalidate() { needsSnapshot = true }

    /// The key of the club that the viewer must be a member of, or `nil` for none.
    package var club: Int64? { bounds?.club }
    /// A Boolean value indicating whether the content depends on the reader's role in a club.
    package var followsRole: Bool { club != nil && inEachClub != nil }
    /// The topics for each club of the viewer, or `nil` for none. See `InEachClub`.
    var inEachClub: InEachClub? { bounds?.inEachClub }

    /// A Boolean value indicating whether there may be a count beside the list.
    package var hasCount: Bool { bounds.map { !$0.counted.isEmpty } ?? false }

    /// Returns whether the part listens to a topic only for its count.
    func counts(_ topic: WatchTopic) -> Bool { bounds?.counted.contains(topic) ?? false }

    /// Returns whether a change is of the resource that contains the part's resources.
    func isPart(of change: Change) -> Bool { bounds?.whole?.has(change) ?? false }
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
