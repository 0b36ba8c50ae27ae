import Model
import ObservableModels

/// A watched URL that a stream is yet to begin with, or to begin anew.
struct PendingURL {
    /// Its name; nil for the only URL of a stream without names.
    let name: String?
    private var url = ""
    /// The resource or list that the URL names, if it is already resolved.
    private var watched: Watched?
    /// Milliseconds within which it is sent at most once, whole; nil where each change is sent.
    private(set) var debounce: Int32?
    /// The cursor to go on from; nil for a snapshot.
    private(set) var after: String?
    /// Whether the client's copy of a view may be older than the cursor.
    private(set) var owesView = false
    /// Whether the client was told that the name is gone, and holds no copy.
    private(set) var wasGone = false
    /// Whether ids that the client has cover it: a client that comes back with one is not told of a new name.
    private(set) var isCovered = false
    /// Why the client's copy is void; nil where that is not said.
    private(set) var reset: String?
    /// Whether a list that has several pages stays as it is.
    private(set) var isOnePage = false

    /// The only URL of a stream without names.
    init(_ watched: Watched, after: String?) { (name, self.watched, self.after) = (nil, watched, after) }

    /// A name of a stream whose client has a cursor, or none.
    init(_ entry: WatchList.Entry, after cursor: StreamCursor?) {
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

    /// A URL that the stream has begun with before.
    init(again name: String?, reset: String?, isOnePage: Bool = false) {
        (self.name, self.reset, self.isOnePage, isCovered) = (name, reset, isOnePage, true)
    }

    /// Resolves the URL for a viewer, and returns how its representation is read again.
    func watched(at desk: Desk, by viewer: Viewer) throws(LecternError) -> (
        Watched, OpenStream.Source.Making
    ) {
        if let watched { return (watched, .made(watched.snapshot, watched.watch.count)) }
        let watched = try desk.watched(url, by: viewer)
        return (watched, debounce == nil && watched.watch.form == .events ? .row : .url(url))
    }
}

/// The URLs that a stream is yet to begin with, and what those that have begun show.
struct StreamBeginning {
    var urls: [PendingURL]
    /// The revision of what the stream watches.
    var revision: Int64 = 0
    /// Whether the client is yet to receive that revision.
    var isNewRevision = false
    /// The frames to send before those of the first URL.
    var frames: [[UInt8]] = []
    /// How many have begun.
    var begun = 0
    /// The latest change that one of them shows.
    var through: Int64 = 0
    /// The names that had ended and have begun again.
    var revived: Set<String> = []
    /// How many parts of the change after its place the only URL has been sent.
    var parts = 0

    init(_ urls: [PendingURL]) { self.urls = urls }
}
