import Model
import ObservableModels

/// An open event stream: a connection and its subscription.
final class Stream {
    let subscription: Subscription
    /// See `Watch.renews`.
    let renews: Bool
    /// See `Watch.isTold`.
    let isTold: Bool
    /// What there is to see now.
    let snapshot: () throws(LecternError) -> EncodedPage
    /// How often in a row what it goes on with could not be read.
    var failures = 0
    /// Of a view: the digest of what its client has; nil when that is not known.
    var shown: [UInt8]?

    init(
        _ subscription: Subscription, _ watch: Watch, shown: [UInt8]?,
        snapshot: @escaping () throws(LecternError) -> EncodedPage
    ) {
        self.subscription = subscription
        (renews, isTold) = (watch.renews, watch.isTold)
        self.shown = shown
        self.snapshot = snapshot
    }
}
