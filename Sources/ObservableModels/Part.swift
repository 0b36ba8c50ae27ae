package import Model

/// One thing that a subscription listens to: what one URL watches.
package struct Part: Sendable {
    /// What is listened to in each club that the reader is in, as a moderator or not.
    package typealias InEachClub = @Sendable (_ club: Int64, _ viewer: Viewer, _ moderates: Bool) -> [Topic]

    /// What a subscriber is given.
    package enum Form: Sendable, Equatable {
        /// The changes, each as an event.
        case events
        /// What there is now, made anew after them.
        case view
        /// The changes of the first rows of a list, each as an event; and what there is now where these cannot be told.
        case window
    }

    /// What it ends with, and follows: apart, because hardly any part has some of this.
    final class Bounds: Sendable {
        let club: Int64?
        let whole: Topic?
        let inEachClub: InEachClub?
        let counted: [Topic]

        init?(club: Int64?, whole: Topic?, inEachClub: InEachClub?, counted: [Topic]) {
            guard club != nil || whole != nil || inEachClub != nil || !counted.isEmpty else { return nil }
            (self.club, self.whole, self.inEachClub, self.counted) = (club, whole, inEachClub, counted)
        }
    }

    /// What its subscriber calls it; nil for the only one of a subscription to one URL.
    package let name: String?
    package let form: Form
    /// Which updates it wants: those of any of these fields; nil for all.
    let fields: FieldSet?
    /// Of a list: which members. Nil for what is not a list.
    let filter: ListFilter?
    private let bounds: Bounds?
    /// Its subscriber has everything of it up to here.
    package var since: Int64
    /// Whether it has ended, and what it showed cannot be told any more.
    package internal(set) var isOver = false
    /// Of a view: whether it may look other than its subscriber has seen it.
    package internal(set) var owes = false
    /// A Boolean value indicating whether the count beside a list may differ from the one that was sent.
    package internal(set) var owesCount = false
    /// Whether there is a count now: changes of the list may change it.
    package internal(set) var isCounting: Bool
    /// What it is to listen to, until its subscription is seated.
    var entering: [Topic]

    /// A part whose subscriber has everything up to `since`. `club`: the key of the club that its reader must be in. `whole`:
    /// the resource whose deletion ends it, because what it shows are parts of that. `inEachClub`: what follows the clubs that
    /// its reader is in. `counted`: what only a count beside the list follows.
    package init(
        name: String? = nil, form: Form = .events, topics: [Topic], inEachClub: InEachClub? = nil, club: Int64? = nil,
        whole: Topic? = nil, fields: FieldSet?, filter: ListFilter?, counted: [Topic] = [], since: Int64
    ) {
        self.name = name
        self.form = form
        self.fields = fields
        self.filter = filter
        bounds = Bounds(club: club, whole: whole, inEachClub: inEachClub, counted: counted)
        self.since = since
        isCounting = !counted.isEmpty
        entering = topics.map { $0.filtered(by: filter) } + (whole.map { [$0] } ?? []) + counted
    }

    /// Lets it owe its count, where there may be one.
    package mutating func oweCount() { owesCount = hasCount && !isOver }

    /// Takes it that its count has been read; nil where there is none now.
    package mutating func settleCount(_ count: Int64?) { (owesCount, isCounting) = (false, hasCount && count != nil) }

    /// Lets a view owe what it shows.
    package mutating func owe() { owes = true }

    /// The key of the club that its reader must be in; nil for what is no club's.
    package var club: Int64? { bounds?.club }
    /// Whether it shows what depends on its reader's role in a club.
    package var followsRole: Bool { club != nil && inEachClub != nil }
    /// See `InEachClub`; nil for nothing.
    var inEachClub: InEachClub? { bounds?.inEachClub }

    /// Whether there may be a count beside what it shows.
    package var hasCount: Bool { bounds.map { !$0.counted.isEmpty } ?? false }

    /// Whether it follows a topic only for its count.
    func counts(_ topic: Topic) -> Bool { bounds?.counted.contains(topic) ?? false }

    /// Whether a change is of that whose parts it shows, rather than of them.
    func isPart(of change: Change) -> Bool { bounds?.whole?.has(change) ?? false }
}
