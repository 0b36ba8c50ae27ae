import Model
import ObservableModels

/// What a request wants to watch.
struct Watch {
    let topics: [Topic]
    /// Of which kind the events are, for the names of fields; nil for a feed of all kinds.
    let kind: ResourceKind?
    /// Of a list: which members. Nil for what is not a list.
    let filter: ListFilter?
    /// The key of the club whose it is; nil for what is no club's.
    var club: Int64?
    /// The resource whose parts are watched: with it the watching ends.
    var whole: Topic?
    /// Whether a subscriber who fell behind gets the list anew instead of all that was missed, when it is one page.
    var renews = false
}

/// An open event stream: a connection and its subscription.
final class Stream {
    let subscription: Subscription
    /// When the token that opened it ends; nil for never.
    let expiresAt: Instant?
    /// See `Watch.renews`.
    let renews: Bool
    /// What there is to see now.
    let snapshot: () throws(LecternError) -> EncodedPage
    /// How often in a row what it goes on with could not be read.
    var failures = 0

    init(
        subscription: Subscription, expiresAt: Instant?, renews: Bool,
        snapshot: @escaping () throws(LecternError) -> EncodedPage
    ) {
        self.subscription = subscription
        self.expiresAt = expiresAt
        self.renews = renews
        self.snapshot = snapshot
    }
}
