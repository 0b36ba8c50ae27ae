import Model
import ObservableModels

/// An open event stream: a connection and its subscription.
final class OpenStream {
    /// The way to make snapshots of one URL of the subscription, and the state of its views and count.
    struct Source {
        let making: SnapshotSource
        /// A Boolean value indicating whether a subscriber that fell behind gets a list of one page again, rather than
        /// a replay.
        var renews = false
        /// See `WatchPlan.isFullyLogged`.
        var isFullyLogged = true
        /// The state of views and counts. It is a separate object because most parts have none.
        private var view: ViewState?

        init(
            making: SnapshotSource, renews: Bool = false, isFullyLogged: Bool = true, list: WatchedListWindow? = nil,
            viewIntervalMilliseconds: Int32 = 0,
            viewDigest: [UInt8]? = nil
        ) {
            (self.making, self.renews, self.isFullyLogged) = (making, renews, isFullyLogged)
            guard list != nil || viewIntervalMilliseconds != 0 || viewDigest != nil else { return }
            view = ViewState()
            (self.list, self.viewIntervalMilliseconds, self.viewDigest) = (list, viewIntervalMilliseconds, viewDigest)
        }
    }

    let subscription: Subscription
    /// The sources, one for each part of the subscription.
    var sources: [Source]
    /// The URLs that are yet to begin, or `nil` if there are none.
    var beginning: StreamBeginning? {
        get { pending?.value }
        set { pending = newValue.map(PendingURLs.init) }
    }
    /// A Boolean value indicating whether URLs have begun that were not announced as presence yet.
    var hasBegun = false
    /// A Boolean value indicating whether the stream resumed without a check that its resource exists, and has sent no
    /// event since.
    var isUnchecked = false
    /// The number of consecutive failures to read the next page.
    var failures = 0
    private var pending: PendingURLs?
    private var keeping: ReopenableStreamState?

    /// Creates a stream that watches nothing yet.
    init(_ subscription: Subscription, of stream: Model.Stream? = nil) {
        (self.subscription, sources) = (subscription, [])
        if let stream { keeping = ReopenableStreamState(stream.id, revision: stream.revision) }
    }
}

/// The function or URL by which a snapshot is made.
enum SnapshotSource {
    case made(() throws(RequestError) -> EncodedListPage, WatchPlan.AdditionalCount?)
    /// A URL, which is resolved again for each snapshot.
    case url(String)
    /// A URL that is read from the stream's database row for each snapshot. It is rarely needed, so it is not kept in
    /// memory.
    case row
}

extension OpenStream {
    /// The URLs that are yet to begin. It is a separate object because mostly there are none.
    private final class PendingURLs {
        let value: StreamBeginning

        init(_ value: StreamBeginning) { self.value = value }
    }

    /// A Boolean value indicating whether URLs or revisions of the stream must begin before it reads more of the log.
    var hasPendingWork: Bool { beginning != nil || !notices.isEmpty }

    /// The id of a named stream, which is stored and can be reopened. It is `nil` for a stream of one URL without a
    /// name.
    var streamID: ResourceID? { keeping?.id }

    /// The revision of the stream that its client has received.
    var revision: Int64 {
        get { keeping?.revision ?? 0 }
        set { keeping?.revision = newValue }
    }

    /// New revisions of the stream, each sent once the client has received everything before it.
    var notices: [StreamRowChange] {
        get { keeping?.notices ?? [] }
        set { keeping?.notices = newValue }
    }
}

/// The state of a stream that can be reopened. It is a separate object because most streams cannot.
private final class ReopenableStreamState {
    let id: ResourceID
    var revision: Int64
    var notices: [StreamRowChange] = []

    init(_ id: ResourceID, revision: Int64) { (self.id, self.revision) = (id, revision) }
}

extension OpenStream.Source {
    /// The state of a part's views and count.
    fileprivate final class ViewState {
        var list: WatchedListWindow?
        var viewIntervalMilliseconds: Int32 = 0
        var viewDigest: [UInt8]?
        var isUrgent = false
        var isDue = false
        var count: Int64?
        var isCountDue = false
    }

    private mutating func made() -> ViewState {
        if let view { return view }
        let new = ViewState()
        view = new
        return new
    }

    /// The first rows of a list, and the way to read them, or `nil` if the URL does not watch first rows.
    var list: WatchedListWindow? {
        get { view?.list }
        set { if newValue != nil || view != nil { made().list = newValue } }
    }

    /// The minimum interval between two views, in milliseconds; 0 means at once.
    var viewIntervalMilliseconds: Int32 {
        get { view?.viewIntervalMilliseconds ?? 0 }
        set { if newValue != 0 || view != nil { made().viewIntervalMilliseconds = newValue } }
    }

    /// The digest of the view that the client has, or `nil` if it is unknown.
    var viewDigest: [UInt8]? {
        get { view?.viewDigest }
        set { if newValue != nil || view != nil { made().viewDigest = newValue } }
    }

    /// A Boolean value indicating whether the next view does not wait for the interval.
    var isUrgent: Bool {
        get { view?.isUrgent ?? false }
        set { if newValue || view != nil { made().isUrgent = newValue } }
    }

    /// The count beside a list that the client has, or `nil` if there is none or it is unknown.
    var count: Int64? {
        get { view?.count }
        set { if newValue != nil || view != nil { made().count = newValue } }
    }

    /// A Boolean value indicating whether reading the count is scheduled.
    var isCountDue: Bool {
        get { view?.isCountDue ?? false }
        set { if newValue || view != nil { made().isCountDue = newValue } }
    }

    /// A Boolean value indicating whether a new view is scheduled.
    var isDue: Bool {
        get { view?.isDue ?? false }
        set { if newValue || view != nil { made().isDue = newValue } }
    }
}
