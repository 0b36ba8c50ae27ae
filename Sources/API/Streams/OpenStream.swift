import Model
import ObservableModels

/// An open event stream: a connection and its subscription.
final class OpenStream {
    /// What a part of its subscription shows.
    struct Source {
        /// Where that comes from.
        enum Making {
            case made(() throws(LecternError) -> EncodedPage)
            /// A URL, which is asked again.
            case url(String)
        }

        let making: Making
        /// See `Watch.renews`.
        var renews = false
        /// See `Watch.isTold`.
        var isTold = true
        /// Of a window that is made: how its list is read.
        var list: ListWindow?
        /// Milliseconds within which a view is sent at most once; 0 for at once.
        var window: Int32 = 0
        /// Of a view: the digest of what its client has; nil when that is not known.
        var shown: [UInt8]?
        /// Whether a view that is owed is made anew without waiting for its window.
        var isUrgent = false
        /// Whether a view is going to be made anew.
        var isDue = false
    }

    let subscription: Subscription
    /// One for each part of the subscription.
    var sources: [Source]
    /// How often in a row what it goes on with could not be read.
    var failures = 0
    /// Of one with names: what it was made by, as of the last that its client has been told of.
    var stream: Model.Stream?
    /// The ticket that opened it; nil for none.
    var ticket: ResourceID?
    /// Whether it watches something else than the others know of.
    var hasSwitched = false
    /// From where it goes on next; nil for where it is.
    var rewind: Int64?
    /// What it becomes, once its client has been told everything before.
    var notices: [StreamNotice] = []

    init(_ subscription: Subscription, _ sources: [Source], of stream: Model.Stream? = nil) {
        (self.subscription, self.sources, self.stream) = (subscription, sources, stream)
    }
}
