import Model
import ObservableModels

/// What a request wants to watch.
struct Watch {
    var topics: [Topic]
    /// Of which kind the events are, for the names of fields; nil for a feed of all kinds, and for a view.
    var kind: ResourceKind?
    /// Of a list: which members. Nil for what is not a list.
    var filter: ListFilter?
    /// The key of the club whose it is; nil for what is no club's.
    var club: Int64?
    /// The resource whose parts are watched: with it the watching ends.
    var whole: Topic?
    /// Whether a subscriber who fell behind gets the list anew instead of all that was missed, when it is one page.
    var renews = false
    /// Whether what is sent are events, or what there is now.
    var form = Part.Form.events
    /// What is watched in each club that the reader is in.
    var inEachClub: Part.InEachClub?
    /// Of a view: whether every change of its parts is one that the reader is told of, so that the log knows whether one was
    /// missed.
    var isTold = true

    /// Of the first rows of a list: which, and how they are read.
    var window: ListWindow?
    /// The count that accompanies a list.
    var count: Count?

    /// A number beside a list that the list's changes do not tell, such as that of its hidden members.
    struct Count {
        /// The page's member, and the name of the event that tells it.
        let name: StaticString
        /// The topics other than the list's own whose changes affect the count.
        let topics: [Topic]
        /// Reads it; nil where there is none now.
        let read: () throws(LecternError) -> Int64?
    }

    /// Whether what it shows depends on the viewer's role in the club.
    var followsRole: Bool { club != nil && inEachClub != nil }

    /// Whether it has no state of its own, but only a place in the log.
    var isFeed: Bool { kind == nil && form == .events }

    /// Every change that a reader is told of.
    static func feed(of viewer: Viewer) -> Watch {
        Watch(topics: [.feed(.everyone), .feed(viewer.scope)], inEachClub: Topic.feeds)
    }

    /// A document, or a list that is composed of several: whenever one of its parts changes it is made anew, and sent if that
    /// made it another.
    static func view(
        of parts: [Topic], inEachClub: Part.InEachClub? = nil, club: Int64? = nil, whole: Topic? = nil,
        isTold: Bool = true
    ) -> Watch {
        Watch(topics: parts, club: club, whole: whole, form: .view, inEachClub: inEachClub, isTold: isTold)
    }
}
