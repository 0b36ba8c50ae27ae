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
    /// What a subscriber who fell behind gets instead of all that was missed: the list anew. Nil: gets all of it.
    var renewal: (() throws(LecternError) -> EncodedPage)?
}

/// An open event stream: a connection and its subscription.
final class Stream {
    let subscription: Subscription
    /// When the token that opened it ends; nil for never.
    let expiresAt: Instant?
    /// See `Watch.renewal`.
    let renewal: (() throws(LecternError) -> EncodedPage)?

    init(subscription: Subscription, expiresAt: Instant?, renewal: (() throws(LecternError) -> EncodedPage)?) {
        self.subscription = subscription
        self.expiresAt = expiresAt
        self.renewal = renewal
    }
}
