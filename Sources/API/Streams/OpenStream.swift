import Model
import ObservableModels

/// An open event stream, or a long poll: a connection and its subscription.
final class OpenStream {
    /// One URL of the subscription, from which snapshots are made, and the state of its views and count.
    struct Source {
        /// The path with its query.
        let url: String
        /// See `WatchPlan.isFullyLogged`.
        var isFullyLogged = true
        /// The minimum interval between two views, in milliseconds; 0 means at once.
        var viewIntervalMilliseconds: Int32 = 0
        /// The digest of the view that the client has, or `nil` if it is unknown.
        var viewDigest: [UInt8]?
        /// A Boolean value indicating whether the next view does not wait for the interval.
        var isUrgent = false
        /// A Boolean value indicating whether a new view is scheduled.
        var isDue = false
        /// The count beside a list that the client has, or `nil` if there is none or it is unknown.
        var count: Int64?
        /// A Boolean value indicating whether reading the count is scheduled.
        var isCountDue = false
    }

    let subscription: Subscription
    /// The request that ends with the first events, or `nil` for a stream.
    let poll: LongPoll?
    /// The sources, one for each part of the subscription.
    var sources: [Source] = []
    /// The URLs that are yet to begin, or `nil` if there are none.
    var beginning: StreamBeginning?
    /// A Boolean value indicating whether URLs have begun that were not announced as presence yet.
    var hasBegun = false
    /// A Boolean value indicating whether the stream announces its reader's presence.
    var isAnnounced = false
    /// The id of a named stream, which is stored and can be reopened. It is `nil` for a stream of one URL without a
    /// name.
    let streamID: ResourceID?
    /// A Boolean value indicating whether the client has received events before, or a list to follow.
    let comesBack: Bool
    /// The interval in seconds after which a quiet named stream gets a heartbeat.
    let heartbeat: Int32
    /// The revision of the stream that its client has received.
    var revision: Int64
    /// New revisions of the stream, each sent once the client has received everything before it.
    var notices: [StreamRowChange] = []

    /// Creates a stream that watches nothing yet.
    init(
        _ subscription: Subscription, of stream: Model.Stream? = nil, after cursor: String? = nil, poll: LongPoll? = nil
    ) {
        (self.subscription, self.poll, comesBack) = (subscription, poll, cursor ?? "" != "")
        (streamID, revision, heartbeat) = (stream?.id, stream?.revision ?? 0, stream?.heartbeat ?? 0)
    }

    /// A Boolean value indicating whether URLs or revisions of the stream must begin before it reads more of the log.
    var hasPendingWork: Bool { beginning != nil || !notices.isEmpty }
}
