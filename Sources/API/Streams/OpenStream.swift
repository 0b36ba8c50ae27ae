import Model
import ObservableModels

/// An open event stream: a connection and its subscription.
final class OpenStream {
    /// What a part of its subscription shows.
    struct Source {
        /// Where that comes from.
        enum Making {
            case made(() throws(LecternError) -> EncodedPage, Watch.Count?)
            /// A URL, which is asked again.
            case url(String)
            /// The URL that its name has in the stream's row: rarely asked for, so that it need not be held.
            case row
        }

        let making: Making
        /// See `Watch.renews`.
        var renews = false
        /// See `Watch.isTold`.
        var isTold = true
        /// Of what is made anew; apart, because most is not.
        private var view: View?

        init(
            making: Making, renews: Bool = false, isTold: Bool = true, list: ListWindow? = nil, window: Int32 = 0,
            shown: [UInt8]? = nil
        ) {
            (self.making, self.renews, self.isTold) = (making, renews, isTold)
            guard list != nil || window != 0 || shown != nil else { return }
            view = View()
            (self.list, self.window, self.shown) = (list, window, shown)
        }
    }

    let subscription: Subscription
    /// One for each part of the subscription.
    var sources: [Source]
    /// The URLs that are yet to begin; nil where there are none.
    var beginning: StreamBeginning? {
        get { pending?.value }
        set { pending = newValue.map(Pending.init) }
    }
    /// Whether URLs have begun, which nobody else knows of yet.
    var hasBegun = false
    /// How often in a row what it goes on with could not be read.
    var failures = 0
    private var pending: Pending?
    private var keeping: Keeping?

    /// A stream that watches nothing yet.
    init(_ subscription: Subscription, of stream: Model.Stream? = nil) {
        (self.subscription, sources) = (subscription, [])
        if let stream { keeping = Keeping(stream.id, revision: stream.revision) }
    }
}

extension OpenStream {
    /// What there is of a stream that can be opened again; apart, because most cannot.
    private final class Keeping {
        let id: ResourceID
        var revision: Int64
        var notices: [StreamNotice] = []

        init(_ id: ResourceID, revision: Int64) { (self.id, self.revision) = (id, revision) }
    }

    /// The URLs that are yet to begin; apart, because mostly there are none.
    private final class Pending {
        let value: StreamBeginning

        init(_ value: StreamBeginning) { self.value = value }
    }

    /// Whether something is to be done where it is.
    var isHeld: Bool { beginning != nil || !notices.isEmpty }

    /// The id of the stream's row, or `nil` if it watches one URL without a name.
    var kept: ResourceID? { keeping?.id }

    /// Of the stream, as far as its client has been told.
    var revision: Int64 {
        get { keeping?.revision ?? 0 }
        set { keeping?.revision = newValue }
    }

    /// What it becomes, once its client has been told everything before.
    var notices: [StreamNotice] {
        get { keeping?.notices ?? [] }
        set { keeping?.notices = newValue }
    }
}

extension OpenStream.Source {
    /// How a part is made anew.
    fileprivate final class View {
        var list: ListWindow?
        var window: Int32 = 0
        var shown: [UInt8]?
        var isUrgent = false
        var isDue = false
        var count: Int64?
        var isCountDue = false
    }

    private mutating func made() -> View {
        if let view { return view }
        let new = View()
        view = new
        return new
    }

    /// Of a window that is made: how its list is read.
    var list: ListWindow? {
        get { view?.list }
        set { if newValue != nil || view != nil { made().list = newValue } }
    }

    /// Milliseconds within which a view is sent at most once; 0 for at once.
    var window: Int32 {
        get { view?.window ?? 0 }
        set { if newValue != 0 || view != nil { made().window = newValue } }
    }

    /// Of a view: the digest of what its client has; nil when that is not known.
    var shown: [UInt8]? {
        get { view?.shown }
        set { if newValue != nil || view != nil { made().shown = newValue } }
    }

    /// Whether a view that is owed is made anew without waiting for its window.
    var isUrgent: Bool {
        get { view?.isUrgent ?? false }
        set { if newValue || view != nil { made().isUrgent = newValue } }
    }

    /// The number beside a list that its client has; nil for none, and where that is not known.
    var count: Int64? {
        get { view?.count }
        set { if newValue != nil || view != nil { made().count = newValue } }
    }

    /// Whether the number beside a list is going to be read.
    var isCountDue: Bool {
        get { view?.isCountDue ?? false }
        set { if newValue || view != nil { made().isCountDue = newValue } }
    }

    /// Whether a view is going to be made anew.
    var isDue: Bool {
        get { view?.isDue ?? false }
        set { if newValue || view != nil { made().isDue = newValue } }
    }
}
