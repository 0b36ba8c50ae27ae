package import Model

/// One listener: what it wants, how far it is, and what the commits of this turn have for it. It holds no queue: who falls
/// behind is replayed from the log.
package final class Subscription {
    /// A model that it listens to, with its place in the audience, -1 for none, and the part for which it does.
    struct Seat {
        let model: ObservableModel
        var place: Int32
        let part: Int32
    }

    /// Whom the caller knows it by.
    package let owner: UInt64
    /// On whose behalf.
    package let viewer: Viewer
    /// How its frames are named and marked.
    package var style: FrameStyle
    /// What it listens to.
    package internal(set) var parts: [Part]
    package internal(set) var state: SubscriptionState

    /// The number of the last id that it was sent.
    var lastSent: Int64
    /// What its ids say besides, when its parts have names.
    package let marks: CursorMarks?
    /// What the commits of this turn have for it.
    var noted: [Noted] = []
    var notedBytes = 0
    /// Whether it is among those that the commits of this turn have something for.
    var isTouched = false
    /// The models of its parts' topics, as long as it is subscribed.
    var seats: [Seat] = []
    /// Its place among all subscriptions.
    private var place: Int32 = -1

    /// A subscription that has everything up to `cursor`, and so many parts of the change after it.
    package init(
        owner: UInt64, viewer: Viewer, style: FrameStyle = .plain, _ parts: [Part], cursor: Int64, within: Int = 0,
        marks: CursorMarks? = nil
    ) {
        self.owner = owner
        self.viewer = viewer
        self.style = style
        self.parts = parts
        self.marks = marks
        state = SubscriptionState(cursor: cursor, parts: within)
        lastSent = cursor
    }

    /// The slot of its place among all subscriptions.
    static let everywhere = -1

    /// Its place in an audience: in that of a model by the model's slot.
    subscript(placeAt slot: Int) -> Int {
        get { slot == Self.everywhere ? Int(place) : Int(seats[slot].place) }
        set { if slot == Self.everywhere { place = Int32(newValue) } else { seats[slot].place = Int32(newValue) } }
    }

    package var hasEnded: Bool { state.phase == .ended }

    /// What it listens to for one of its parts.
    package func topics(ofPart part: Int) -> [Topic] {
        parts[part].entering.isEmpty
            ? seats.lazy.filter { $0.part == part }.map { $0.model.topic } : parts[part].entering
    }

    /// What it listens to for all of them.
    package var topics: [Topic] { parts.indices.flatMap { topics(ofPart: $0) } }

    /// Whether one of its parts may look other than it was sent last.
    package var owes: Bool { parts.contains { $0.owes } }

    /// Whether a view or a count of its parts may be another than it was sent last.
    package var isStale: Bool { parts.contains { $0.owes || $0.owesCount } }

    /// Whether all that it listens to are views: then it has no place in the log but theirs.
    package var isView: Bool { parts.allSatisfy { $0.form == .view } }

    /// The part of that name.
    package func part(named name: String) -> Int? { parts.firstIndex { $0.name == name } }

    /// Takes it that a view has been made anew, of what there was at a change.
    package func settle(part: Int, at seq: Int64) {
        parts[part].owes = false
        parts[part].since = max(parts[part].since, seq)
        if !owes { marks?.viewsThrough = nil }
    }

    /// Takes it that each part has been told everything up to the cursor, from which on others may be told less.
    package func catchUp() {
        for part in parts.indices { parts[part].since = max(parts[part].since, state.cursor) }
    }

    /// Lets a view owe what it shows now.
    package func owe(part: Int) { parts[part].owes = true }

    /// Lets a part owe its count.
    package func oweCount(part: Int) {
        parts[part].oweCount()
    }

    /// Takes it that the count of a part has been read; nil where there is none now.
    package func settleCount(part: Int, _ count: Int64?) {
        parts[part].settleCount(count)
    }

    /// Lets the part of a seat owe what it shows now.
    func owe(at slot: Int) {
        let part = Int(seats[slot].part)
        if !parts[part].owes, !parts[part].isOver { owe(part: part, through: progress(of: part)) }
    }

    /// Up to where it has had all of a part since it became live.
    func progress(of part: Int) -> Int64 { max(state.cursor, parts[part].since) }

    /// Lets a part owe what it shows now. What its subscriber has of it is that of `through`.
    func owe(part: Int, through seq: Int64) {
        parts[part].owes = true
        if let marks { marks.viewsThrough = min(marks.viewsThrough ?? seq, seq) }
    }

    /// Whether what a part shows ends with a change.
    func ends(part: Int, with change: Change) -> Bool {
        switch change.operation {
        case .deleted: parts[part].isPart(of: change) || change.kind == .meeting && isOwn(part, change)
        case .hidden, .raised, .undone: change.scope.reader == viewer.readerKey && isOwn(part, change)
        default: false
        }
    }

    /// Whether a change is of the one thing that a part shows. A meeting never comes back under its id; a club's own stream ends as all
    /// that are the club's do.
    func isOwn(_ part: Int, _ change: Change) -> Bool {
        let topic = Topic.resource(change.kind, change.id)
        return parts[part].filter == nil && topics(ofPart: part).contains(topic) && !parts[part].counts(topic)
    }
}
