import Model
import ObservableModels

/// An open event stream, or a long poll: a connection and its subscription.
final class OpenStream {
    let subscription: Subscription
    /// The request that ends with the first events, or `nil` for a stream.
    let poll: LongPoll?
    /// The URLs that are yet to begin, or `nil` if there are none.
    var beginning: StreamBeginning?
    /// A Boolean value indicating whether URLs have begun that were not announced as presence yet.
    var hasBegun = false
    /// A Boolean value indicating whether the stream announces its reader's presence.
    var isAnnounced = false
    /// The interval in seconds after which a quiet named stream gets a heartbeat.
    let heartbeat: Int32
    /// The id of a named stream, which is stored and can be reopened. It is `nil` for a stream of one URL without a
    /// name.
    let streamID: ResourceID?
    /// A Boolean value indicating whether the client has received events before, or a list to follow.
    let comesBack: Bool
    /// The revision of the stream that its client has received.
    var revision: Int64
    /// New revisions of the stream, each sent once the client has received everything before it.
    var streamChanges: [StreamRowChange] = []

    /// Creates a stream that watches nothing yet.
    init(
        _ subscription: Subscription, of stream: NamedStream? = nil, after cursor: String? = nil, poll: LongPoll? = nil
    ) {
        (self.subscription, self.poll, comesBack) = (subscription, poll, cursor ?? "" != "")
        (streamID, revision, heartbeat) = (stream?.id, stream?.revision ?? 0, stream?.heartbeat ?? 0)
    }

    /// A Boolean value indicating whether URLs or revisions of the stream must begin before it reads more of the log.
    var hasPendingWork: Bool { beginning != nil || !streamChanges.isEmpty }
}
