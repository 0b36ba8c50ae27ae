import Model
import ObservableModels

/// A watched URL of a stream that is yet to begin, or to begin again.
struct PendingWatchedURL {
    /// The name, or `nil` for the only URL of a stream without names.
    let name: String?
    /// The path with its query. It is resolved again for each snapshot.
    let url: String
    /// The minimum interval between two snapshots, in milliseconds, or `nil` if each change is sent.
    private(set) var debounce: Int32?
    /// The cursor to continue from, or `nil` for a snapshot.
    private(set) var after: String?
    /// A Boolean value indicating whether the client's copy of a view may be older than the cursor.
    private(set) var owesView = false
    /// A Boolean value indicating whether the client was told that the URL has ended, and so has no copy.
    private(set) var wasGone = false
    /// A Boolean value indicating whether event ids that the client has include the URL. A client that reconnects with
    /// such an id does not get `subscribed` for it.
    private(set) var isCovered = false
    /// The reason why the client's copy is void, or `nil` to send no `reset`.
    var reset: String?

    /// Creates the only URL of a stream without names.
    init(_ url: String, after: String?) { (name, self.url, self.after) = (nil, url, after) }

    /// Creates a named URL of a stream, which continues from the client's cursor if it has one.
    init(_ entry: WatchListEntry, after cursor: StreamCursor?) {
        (name, url, debounce) = (entry.name, entry.url, entry.debounce)
        guard let cursor, entry.revision <= cursor.revision else {
            after = entry.after
            return
        }
        wasGone = cursor.hasEnded(entry.name)
        guard !wasGone else { return }
        after = EventID(epoch: cursor.epoch, seq: cursor.seq).description
        (owesView, isCovered) = (cursor.viewsThrough != nil, true)
    }

    /// Creates a URL that the stream already has, to begin again.
    init(again name: String?, _ url: String, reset: String?) {
        (self.name, self.url, self.reset, isCovered) = (name, url, reset, true)
    }
}

/// The URLs of a stream that are yet to begin, and the combined state of those that have begun.
final class StreamBeginning {
    var urls: [PendingWatchedURL]
    /// The revision of the stream.
    var revision: Int64 = 0
    /// A Boolean value indicating whether the client is yet to receive the stream's revision.
    var isNewRevision = false
    /// The reason why the client's copy of all URLs is void, or `nil` to send no `reset` first.
    var reset: String?
    /// The frames to send before those of the first URL.
    var frames: [[UInt8]] = []
    /// The number of URLs that have begun.
    var begun = 0
    /// The latest change that is included in a URL that has begun.
    var through: Int64 = 0
    /// The names that had ended and have begun again.
    var revived: Set<String> = []
    /// The number of resources of the change after its cursor that the client already has. Only a stream of one URL can
    /// continue within a change.
    var resourcesSent = 0

    init(_ urls: [PendingWatchedURL]) { self.urls = urls }
}
