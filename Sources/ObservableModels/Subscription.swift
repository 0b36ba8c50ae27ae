package import Model

/// One listener: what it wants, how far it is, and what the commits of this turn have for it. It holds no queue: who falls
/// behind is replayed from the log.
package final class Subscription {
    /// What is listened to in each club that the reader is in, as a moderator or not.
    package typealias InEachClub = @Sendable (_ club: Int64, _ viewer: Viewer, _ moderates: Bool) -> [Topic]

    /// What a subscription is given.
    package enum Form: Sendable, Equatable {
        /// The changes, each as an event.
        case events
        /// What there is now, made anew after them.
        case view
    }

    /// Whom the caller knows it by.
    package let owner: UInt64
    /// On whose behalf.
    package let viewer: Viewer
    package let form: Form
    /// What it listens to.
    package internal(set) var topics: [Topic]
    /// What of that follows the clubs that its reader is in; nil for nothing.
    let inEachClub: InEachClub?
    /// The key of the club that its reader must be in; nil for what is no club's.
    package let club: Int64?
    /// The resource whose deletion ends it, because what it shows are parts of that; nil for none.
    let whole: Topic?
    /// Which updates it wants: those of any of these fields; nil for all.
    let fields: FieldSet?
    /// Of a list: which members. Nil for what is not a list.
    let filter: ListFilter?
    package internal(set) var state: SubscriptionState

    /// The number of the last id that it was sent.
    var lastSent: Int64
    /// What the commits of this turn have for it.
    private(set) var noted: [[UInt8]] = []
    private var notedBytes = 0
    /// Whether it is among those that the commits of this turn have something for.
    private(set) var isTouched = false
    /// The models of its topics, as long as it is subscribed, each with its place in the audience; -1 for none.
    var seats: [(model: ObservableModel, place: Int)] = []
    /// Its place among all subscriptions.
    private var place = -1

    /// A subscription that has everything up to `cursor`, and so many parts of the change after it.
    package init(
        owner: UInt64, viewer: Viewer, form: Form = .events, topics: [Topic], inEachClub: InEachClub? = nil,
        club: Int64? = nil, whole: Topic? = nil, fields: FieldSet?, filter: ListFilter?, cursor: Int64, parts: Int = 0
    ) {
        self.owner = owner
        self.viewer = viewer
        self.form = form
        self.topics = topics.map { $0.filtered(by: filter) } + (whole.map { [$0] } ?? [])
        self.inEachClub = inEachClub
        self.club = club
        self.whole = whole
        self.fields = fields
        self.filter = filter
        state = SubscriptionState(cursor: cursor, parts: parts)
        lastSent = cursor
    }

    /// The slot of its place among all subscriptions.
    static let everywhere = -1

    /// Its place in an audience: in that of a model by the model's slot.
    subscript(placeAt slot: Int) -> Int {
        get { slot == Self.everywhere ? place : seats[slot].place }
        set { if slot == Self.everywhere { place = newValue } else { seats[slot].place = newValue } }
    }

    package var hasEnded: Bool { state.phase == .ended }

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

    /// Bytes that commits may have for a subscription in one go; what is more it gets from the log.
    private static let notedBytesMax = 1 << 20

    /// Notes what a change has for it. Changes that share a seq are given together, unless some of them have been told: the
    /// log knows which.
    func hear(
        _ published: PublishedChange, as name: EventName?, _ differing: FieldSet, _ told: Told?,
        _ touched: inout [Subscription]
    ) {
        let seq = published.change.seq
        guard state.hears(seq) else { return }
        guard notedBytes < Self.notedBytesMax || seq == lastSent, state.parts == 0 || seq > state.cursor + 1 else {
            return miss(seq, &touched)
        }
        if let told, !told.readers.contains(viewer.readerKey) {
            // An error, or not to have asked, is no "no".
            if !told.asked.contains(viewer.readerKey) { miss(seq, &touched) }
            return
        }
        let isLast = ends(with: published.change)
        guard form == .events || isLast else { return miss(seq, &touched) }
        guard let frame = frame(of: published, as: name, differing) else { return }
        touch(&touched)
        EventFrame.add(frame, seq, to: &noted, &lastSent)
        notedBytes += frame.count
        if isLast { _ = state.take(.over) }
    }

    /// The frame that it gets of a change, which has that name where it listens; nil for none. Whether its reader may be told
    /// of a club's note has been asked.
    func frame(of published: PublishedChange, as name: EventName?, _ differing: FieldSet) -> [UInt8]? {
        let change = published.change
        if ends(with: change) { return published.last(for: self) }
        guard let name, !isPart(of: change), published.maySee(viewer) else { return nil }
        if name == .updated, let fields, fields.isDisjoint(with: differing) { return nil }
        return published.frame(name)
    }

    /// From this change on it is given the log.
    func miss(_ seq: Int64, _ touched: inout [Subscription]) {
        guard state.hears(seq) else { return }
        touch(&touched)
        _ = state.take(.missed(seq))
    }

    private func touch(_ touched: inout [Subscription]) {
        guard !isTouched else { return }
        isTouched = true
        touched.append(self)
    }

    /// What the commits of this turn have for it, and how far that goes.
    func takeNoted(head: Int64) -> (frames: [[UInt8]], through: Int64) {
        defer { (noted, notedBytes, isTouched) = ([], 0, false) }
        return (noted, state.missedFrom.map { $0 - 1 } ?? head)
    }
}
