import Model
import ObservableModels

/// An open event stream: a connection and its subscription.
final class Stream {
    let subscription: Subscription
    let watch: Watch
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
        self.watch = watch
        self.shown = shown
        self.snapshot = snapshot
    }
}
