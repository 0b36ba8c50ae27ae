import Model
import ObservableModels

/// The topics and options by which a request watches something.
struct WatchPlan {
    var topics: [WatchTopic]
    /// The kind of the watched resources, which determines the valid field names. It is `nil` for a feed of all kinds
    /// and for a view.
    var kind: ResourceKind?
    /// The filter of a list, or `nil` if it is no list.
    var filter: ListFilter?
    /// The key of the club that the resource belongs to, or `nil` for none.
    var club: Int64?
    /// The resource that contains the watched ones. Watching ends with its deletion.
    var whole: WatchTopic?
    /// The kind of events: changes, or new snapshots.
    var form = SubscribedEventForm.events
    /// The topics in each club of the viewer.
    var inEachClub: SubscribedURL.InEachGroup?
    /// A Boolean value indicating whether the log has every change of a view for its reader. If not, a view may have
    /// changed without a change in the log.
    var isFullyLogged = true

    /// The first rows of a list, and the way to read them.
    var window: WatchedListWindow?
    /// The count that accompanies a list.
    var count: AdditionalCount?

    /// A number beside a list that does not follow from the list's changes, such as the number of its hidden members.
    struct AdditionalCount {
        /// The page's member, and the name of the count's event.
        let name: StaticString
        /// The topics other than the list's own whose changes affect the count.
        let topics: [WatchTopic]
        /// Reads the count, or `nil` if there is none now.
        let read: () throws(RequestError) -> Int64?
    }

    /// A Boolean value indicating whether the content depends on the viewer's role in the club.
    var followsRole: Bool { club != nil && inEachClub != nil }

    /// A Boolean value indicating whether it is a feed, which has a place in the log but no state.
    var isFeed: Bool { kind == nil && form == .events }

    /// A Boolean value indicating whether it shows one resource, or a view that is named after one.
    var showsOne: Bool { if case .resource? = topics.first { true } else { false } }

    /// The resources whose deletion ends the stream with an event. A view has such an event only for the whole that it
    /// belongs to.
    var ends: [WatchTopic] { (form == .events ? topics : []) + (whole.map { [$0] } ?? []) }

    /// Returns the watch of every change that a reader may see.
    static func feed(of viewer: Viewer) -> WatchPlan {
        WatchPlan(topics: [.feed(.everyone), .feed(viewer.scope)], inEachClub: feedTopics)
    }

    /// Returns the topics of every change that a reader may see in one of their clubs.
    static func feedTopics(ofClub club: Int64, for viewer: Viewer, moderates: Bool) -> [WatchTopic] {
        [.feed(.club(key: club)), .feed(.club(key: club, only: viewer.readerKey))]
            + [.feed(moderates ? .moderators(ofClub: club) : .plainMembers(ofClub: club))]
    }

    /// Returns the watch of a document, or of a list composed of several. It is made again when a part changes, and
    /// sent if it differs.
    static func view(
        of parts: [WatchTopic], inEachClub: SubscribedURL.InEachGroup? = nil, club: Int64? = nil,
        whole: WatchTopic? = nil,
        isFullyLogged: Bool = true
    ) -> WatchPlan {
        WatchPlan(
            topics: parts, club: club, whole: whole, form: .view, inEachClub: inEachClub, isFullyLogged: isFullyLogged)
    }
}
