import Model
import ObservableModels
import Store

/// The first rows of a list, as they are watched: those of an order, as many as a limit says.
final class ListWindow {
    let topic: Topic
    /// What all of the list is watched by.
    let whole: [Topic]
    /// Reads rows of the list in its order.
    let source: Window.Source

    init(topic: Topic, whole: [Topic], source: @escaping Window.Source) {
        (self.topic, self.whole, self.source) = (topic, whole, source)
    }

    /// The first ones, and some more: what the models begin with.
    func first() throws(LecternError) -> WindowRows {
        try source(nil, topic.shape.map { Window.capacity(limit: $0.limit) } ?? 0)
    }
}

extension Watch {
    /// The same of the first rows of a list only. `page`: those after a cursor.
    @_semantics("optimize.sil.specialize.generic.never")
    func window<Value: Resource>(
        _ shape: WindowShape, of kind: ResourceKind, _ scope: Scope, _ reads: ReadConnection,
        _ page: @escaping (ReadConnection, Paging) throws(LecternError) -> Page<Value>
    ) -> Watch {
        let source = { (place: ListPlace?, count: Int) throws(LecternError) -> WindowRows in
            try reads.read { () throws(LecternError) in
                let head = try reads.head()
                var next = place.map { shape.order.cursor(after: $0, of: kind) }
                var rows: [WindowRow] = []
                // A page may have been ended early. However many there are, a read's time ends them.
                repeat {
                    let page = try page(reads, Paging(cursor: next, limit: count - rows.count))
                    rows += page.items.compactMap { WindowRow($0, in: shape.order, asOf: head) }
                    next = page.next
                } while next != nil && rows.count < count
                return WindowRows(rows, horizon: next == nil ? nil : rows.last?.place, asOf: head)
            }
        }
        var watch = self
        let topic = Topic.window(kind, scope, shape)
        (watch.topics, watch.form, watch.renews) = ([topic], .window, false)
        watch.window = ListWindow(topic: topic, whole: topics, source: source)
        return watch
    }
}

extension Watch {
    /// What is sent of a list: of a window all of it, however long that takes to find, as the models know all of it.
    func page<Item>(
        _ paging: Paging, _ read: (Paging) throws(LecternError) -> Page<Item>
    ) throws(LecternError) -> Page<Item> {
        var page = try read(paging)
        while window != nil, let next = page.next, page.items.count < paging.limit {
            page = page.followed(by: try read(Paging(cursor: next, limit: paging.limit - page.items.count)))
        }
        return page
    }
}

extension Desk {
    /// Lets the models know what the windows of a stream show, where they do not. What cannot be read is read with what the
    /// window then owes.
    func prepareWindows(of stream: OpenStream, from first: Int = 0) {
        for part in stream.subscription.parts.indices.dropFirst(first) {
            // The window stays marked as stale, so it is read again.
            do throws(LecternError) { try fillWindow(of: stream, part: part) } catch { continue }
        }
    }

    /// Lets the models know what a window shows, where they do not.
    func fillWindow(of stream: OpenStream, part: Int) throws(LecternError) {
        let subscription = stream.subscription
        guard subscription.parts[part].form == .window,
            let topic = subscription.topics(ofPart: part).first(where: { $0.shape != nil }), !models.isFilled(topic)
        else { return }
        let list =
            switch stream.sources[part].making {
            case .made, .row: stream.sources[part].list
            case .url(let url): try watched(url, by: subscription.viewer).watch.window
            }
        if let list { models.fill(topic, try list.first(), from: list.source) }
    }
}

extension WindowRow {
    /// The row of a resource that was read.
    init?<Value: Resource>(_ value: Value, in order: ListOrder, asOf seq: Int64) {
        let bytes = value.encoded()
        guard let place = Representation(bytes).flatMap({ order.place(of: $0, key: value.key) }) else { return nil }
        self.init(value.id, at: place, bytes: bytes, asOf: seq)
    }
}

extension Page {
    /// The values of a page for which nothing was known.
    func values<Value: Resource>() -> Page<Value> where Item == Listed<Value> {
        compactMap { if case .read(let value) = $0 { value } else { nil } }
    }
}
