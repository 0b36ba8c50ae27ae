import Model
import ObservableModels
import Store

/// The whole list of which the first rows are watched.
struct WatchedListWindow {
    /// The topics of the whole list.
    let whole: [WatchTopic]
    /// Reads rows of the list in its order.
    let source: Window.Source
}

extension WatchPlan {
    /// Returns the watch of the list's first rows. `page` reads the rows after a cursor.
    @_semantics("optimize.sil.specialize.generic.never")
    func window<Value: Resource>(
        _ shape: WindowShape, of kind: ResourceKind, _ scope: ChangeScope, _ reads: ReadConnection,
        _ page: @escaping (ReadConnection, PageRequest) throws(RequestError) -> ListPage<Value>
    ) -> WatchPlan {
        let source = { (place: ListPlace?, count: Int) throws(RequestError) -> WindowRows in
            try reads.read { () throws(RequestError) in
                let head = try reads.head()
                var next = place.map { shape.order.cursor(after: $0, of: kind) }
                var rows: [WindowRow] = []
                // A page may end early. The time limit of a read bounds the number of pages.
                repeat {
                    let page = try page(reads, PageRequest(cursor: next, limit: count - rows.count))
                    rows += page.items.compactMap { WindowRow($0, in: shape.order, asOf: head) }
                    next = page.next
                } while next != nil && rows.count < count
                return WindowRows(rows, horizon: next == nil ? nil : rows.last?.place, asOf: head)
            }
        }
        var watch = self
        (watch.topics, watch.form) = ([.window(kind, scope, shape)], .window)
        watch.window = WatchedListWindow(whole: topics, source: source)
        return watch
    }
}

extension WatchPlan {
    /// Returns a page of a list. If the list's first rows are watched, it reads until the page is full, because
    /// `ObservableModels` tracks all of those rows.
    func page<Item>(
        _ paging: PageRequest, _ read: (PageRequest) throws(RequestError) -> ListPage<Item>
    ) throws(RequestError) -> ListPage<Item> {
        var page = try read(paging)
        while window != nil, let next = page.next, page.items.count < paging.limit {
            page = page.followed(by: try read(PageRequest(cursor: next, limit: paging.limit - page.items.count)))
        }
        return page
    }
}

extension RequestPipeline {
    /// Reads the rows of those windows of a stream that `ObservableModels` does not have yet. A failed read is repeated
    /// with the window's next snapshot.
    func prepareWindows(of subscription: Subscription, from first: Int = 0) {
        for index in subscription.urls.indices.dropFirst(first) {
            // The window stays marked for a new snapshot, so it is read again.
            do throws(RequestError) { try fillWindow(of: subscription, urlAt: index) } catch { continue }
        }
    }

    /// Sets the rows of a window if they are not known yet.
    func fillWindow(of subscription: Subscription, urlAt index: Int) throws(RequestError) {
        guard subscription.urls[index].form == .window,
            let topic = subscription.topics(ofURLAt: index).first(where: { $0.shape != nil }), !models.isFilled(topic)
        else { return }
        let watch = try watched(subscription.urls[index].url, by: subscription.viewer).watch
        if let list = watch.window { try models.fill(topic, from: list.source) }
    }
}

extension WindowRow {
    /// Creates the row of a list for a resource, with its place in the order. Returns `nil` if the resource has no
    /// place.
    init?<Value: Resource>(_ value: Value, in order: ListOrder, asOf seq: Int64) {
        let bytes = value.encoded()
        guard let place = ResourceRepresentation(bytes).flatMap({ order.place(of: $0, key: value.key) }) else {
            return nil
        }
        self.init(value.id, at: place, bytes: bytes, asOf: seq)
    }
}
