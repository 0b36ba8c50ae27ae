import Model

/// The event that one watched URL of a subscription gets for a change.
struct SubscribedEvent {
    /// The URL's name, or `nil` for the only URL of a subscription without names.
    private(set) var name: String?
    private(set) var urlIndex = 0
    let event: EventName
    /// The reason of a `leave`, or `nil` if it follows from the change.
    var reason: LeaveReason?
    /// The next row in a window.
    var neighbour: WindowNeighbour?
    /// A Boolean value indicating whether the URL ends with this event.
    var isOver = false

    /// Returns the event for the URL with this name and index.
    func named(_ name: String?, urlIndex: Int) -> SubscribedEvent {
        var subscribed = self
        (subscribed.name, subscribed.urlIndex) = (name, urlIndex)
        return subscribed
    }
}

/// The row that follows another in a window; its id is `nil` at the window's end.
struct WindowNeighbour {
    let id: ResourceID?
}

/// A change that a subscription receives as one event, with what the change is for each URL that it concerns.
struct PendingEvent {
    private(set) var published: PublishedChange
    private var first: SubscribedEvent
    private var others: [SubscribedEvent] = []

    init(_ published: PublishedChange, _ subscribed: SubscribedEvent) {
        (self.published, first) = (published, subscribed)
    }

    var subscribed: [SubscribedEvent] { [first] + others }

    /// The event of a subscription to one URL, or `nil` if the URLs have names.
    var only: SubscribedEvent? { first.name == nil ? first : nil }

    /// Adds the event for another URL. Events are in the order of the URLs, not of the models, so live events equal
    /// replayed ones.
    mutating func addEvent(_ subscribed: SubscribedEvent) {
        var subscribed = subscribed
        if subscribed.urlIndex < first.urlIndex { swap(&subscribed, &first) }
        others.insert(subscribed, at: others.firstIndex { $0.urlIndex > subscribed.urlIndex } ?? others.endIndex)
    }

    /// Returns the events that satisfy a predicate, or `nil` if none does.
    func keeping(_ isKept: (SubscribedEvent) -> Bool) -> PendingEvent? {
        let kept = subscribed.filter(isKept)
        guard let first = kept.first else { return nil }
        var pending = PendingEvent(published, first)
        pending.others = Array(kept.dropFirst())
        return pending
    }

    /// The approximate size of the frame in bytes.
    var size: Int { 256 + (published.change.value?.count ?? 0) }
}
