package import Model

/// One listener: what it wants, how far it is, and whether it keeps up. It holds no queue: who falls behind is replayed from
/// the log.
package final class Subscription {
    /// How a subscription gets its events.
    package enum State: Sendable {
        /// From each commit.
        case live
        /// From the log, in pages, up to its end.
        case replaying
        /// Not at all until the socket takes bytes again; then from the log.
        case parked
    }

    /// Whom the caller knows it by.
    package let owner: UInt64
    /// On whose behalf.
    package let viewer: Viewer
    /// What it listens to. A feed's topics follow the clubs that its reader is in.
    package internal(set) var topics: [Topic]
    /// The key of the club that its reader must be in; nil for what is no club's.
    package let club: Int64?
    /// The resource whose deletion ends it, because what it shows are parts of that; nil for none.
    package let whole: Topic?
    /// Which updates it wants: those of any of these fields; nil for all.
    package let fields: FieldSet?
    /// Of a list: which members. Nil for what is not a list.
    package let filter: ListFilter?
    /// How it gets its events.
    package internal(set) var state = State.replaying
    /// While it is parked: whether it was live before, rather than on its way through the log.
    package internal(set) var fellBehind = false
    /// Everything up to here it has, or does not want.
    package internal(set) var cursor: Int64 { didSet { if cursor != oldValue { parts = 0 } } }
    /// So many parts of the change after it, too.
    package private(set) var parts: Int

    /// The number of the last id that it was sent.
    var lastSent: Int64
    /// What the commits of this turn have for it.
    var noted: [[UInt8]] = []
    var notedBytes = 0
    /// The first change that they have too much of, or that could not be read: from there on it is replayed.
    var missedFrom: Int64?
    /// Whether it is among those that the commits of this turn have something for.
    var isTouched = false
    /// Whether what it shows ends with what they have for it.
    var isOver = false
    /// Its place in the audience of each of its topics, and last its place among all subscriptions; -1 for none.
    var places: [Int]

    /// A subscription that has everything up to `cursor`, and so many parts of the change after it.
    package init(
        owner: UInt64, viewer: Viewer, topics: [Topic], club: Int64? = nil, whole: Topic? = nil, fields: FieldSet?,
        filter: ListFilter?, cursor: Int64, parts: Int = 0
    ) {
        let topics = topics + (whole.map { [$0] } ?? [])
        self.owner = owner
        self.viewer = viewer
        self.topics = topics
        self.club = club
        self.whole = whole
        self.fields = fields
        self.filter = filter
        self.cursor = cursor
        self.parts = parts
        lastSent = cursor
        places = Array(repeating: -1, count: topics.count + 1)
    }

    /// Whether it has ended, or has not begun.
    package var isCancelled: Bool { places[topics.count] < 0 }

    /// Whether it hears of everything that its reader may see.
    package var isFeed: Bool { topics.contains(.feed(viewer.scope)) }

    /// Whether one of its topics shows cards, which are derived.
    package var showsCards: Bool {
        topics.contains { topic in
            switch topic {
            case .resource(.card, _), .list(.card, _): true
            default: false
            }
        }
    }

    /// Whether it is to be given a change that comes now.
    func hears(_ seq: Int64) -> Bool { seq > cursor && missedFrom == nil && !isOver }

    /// Whether a change is of that whose parts it shows, rather than of them.
    func isPart(of change: Change) -> Bool { whole?.has(change) ?? false }

    /// Whether what it shows ends with a change.
    func ends(with change: Change) -> Bool {
        change.operation == .deleted && (isPart(of: change) || isOwn(of: change))
    }

    /// Whether a change is of the one meeting that it shows, which never comes back under its id. A club's own stream ends as
    /// all that are the club's do.
    private func isOwn(of change: Change) -> Bool {
        change.kind == .meeting && filter == nil && topics.contains(.resource(.meeting, change.id))
    }

    /// Has nothing more of this turn's commits.
    func forgetNoted() { (noted, notedBytes, missedFrom, isTouched) = ([], 0, nil, false) }
}
