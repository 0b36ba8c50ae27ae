import JSON
import Model
import ObservableModels
import Store

/// The page of a list that a request asks for.
struct PageRequest {
    let cursor: String?
    let limit: Int

    /// The default and the maximum number of items in a page.
    struct Size {
        var standard = 20
        var max: Int32 = 100
    }
}

/// Encodes the items of a page that show more than their representations.
typealias ItemEncoder<Value> = (ReadConnection, [Value]) throws(RequestError) -> [[UInt8]]

/// Replies that are pages of resources.
extension RouteCall {
    /// Returns the reply with a list of the viewer's own resources, or of those of another scope.
    func list<Value: Resource>(
        _ list: SortedTableList<Value>, in scope: ChangeScope? = nil, where filter: ListFilter = .all,
        whole: WatchTopic? = nil, watch: WatchPlan? = nil
    ) throws(RequestError) -> RouteReply {
        let scope = scope ?? viewer.scope
        let owner = scope.club ?? viewer.readerKey
        return try self.list(in: scope, watch: watch, filter: filter, order: list.order, whole: whole) {
            reads, paging throws(RequestError) in
            try list.page(reads, of: owner, where: filter, after: paging.cursor, limit: paging.limit)
        }
    }

    /// Returns the reply with a page of a list. The route determines the scope, and all resources in the list have it:
    /// it is everyone's, the viewer's own, or a club's.
    ///
    /// - Parameters:
    ///   - scopes: The scopes of the changes, if not all members of a club receive the same.
    ///   - count: The count that accompanies the list.
    func list<Value: Resource>(
        in scope: ChangeScope, watch: WatchPlan? = nil, scopes: [ChangeScope]? = nil, filter: ListFilter = .all,
        order: ListOrder? = nil, whole: WatchTopic? = nil, size: PageRequest.Size = PageRequest.Size(),
        count: WatchPlan.AdditionalCount? = nil, encode: ItemEncoder<Value>? = nil,
        _ page: @escaping (ReadConnection, PageRequest) throws(RequestError) -> ListPage<Value>
    ) throws(RequestError) -> RouteReply {
        let (reads, epoch, viewer, paging) = (reads, pipeline.epoch, viewer, try query.paging(size))
        let topics = (scopes ?? [scope]).map { WatchTopic.list(Value.kind, $0) }
        var all = watch ?? WatchPlan(topics: topics, kind: Value.kind, filter: filter, club: scope.club, whole: whole)
        all.count = count
        // If members receive different changes, they see different windows.
        let watch = narrowed(
            all, order, in: scope, of: scopes == nil ? nil : viewer.readerKey, limit: paging.limit, page)
        return .list(watch) { () throws(RequestError) in
            let page = try watch.page(paging) { paging throws(RequestError) in try page(reads, paging) }
            var extra: (name: StaticString, value: Int64)?
            if let count, let value = try count.read() { extra = (count.name, value) }
            return try page.encoded(
                epoch, seq: reads.lastSeq(of: scope, seenBy: viewer), extra: extra, reads, encode)
        }
    }

    /// Returns a list of cached resources: representations in the cache are sent, and others are read. `other` is the
    /// scope of further resources that the items show.
    func list<Value: Resource>(
        in scope: ChangeScope, besides other: ChangeScope? = nil, filter: ListFilter = .all, order: ListOrder? = nil,
        whole: WatchTopic? = nil, watch: WatchPlan? = nil,
        _ page:
            @escaping (ReadConnection, PageRequest, CachedOrReadItem<Value>.Known) throws(RequestError) -> ListPage<
                CachedOrReadItem<Value>
            >
    ) throws(RequestError) -> RouteReply {
        let (pipeline, paging) = (pipeline, try query.paging())
        let all = watch ?? WatchPlan(topics: [.list(Value.kind, scope)], kind: Value.kind, filter: filter, whole: whole)
        let watch = narrowed(all, order, in: scope, limit: paging.limit) { reads, paging throws(RequestError) in
            try page(reads, paging) { _, _ in nil }.compactMap { if case .read(let value) = $0 { value } else { nil } }
        }
        return .list(watch) { () throws(RequestError) in
            let page = try watch.page(paging) { paging throws(RequestError) in
                try page(pipeline.reads, paging, pipeline.known(as: Value.kind))
            }
            var seq = try pipeline.reads.lastSeq(of: scope)
            if let other { seq = try max(seq, pipeline.reads.lastSeq(of: other)) }
            return pipeline.encoded(page, scope: scope, seq: seq)
        }
    }

    /// Returns the watch of a list's first rows if the request has a limit and the order follows from the
    /// representations. Otherwise returns the watch of the whole list.
    private func narrowed<Value: Resource>(
        _ watch: WatchPlan, _ order: ListOrder?, in scope: ChangeScope, of reader: Int64? = nil, limit: Int,
        _ page: @escaping (ReadConnection, PageRequest) throws(RequestError) -> ListPage<Value>
    ) -> WatchPlan {
        guard watch.form == .events, isOfFirst, let order, let filter = watch.filter else { return watch }
        let shape = WindowShape(filter, order, limit: limit, reader: reader)
        return watch.window(shape, of: Value.kind, scope, reads, page)
    }

    /// A Boolean value indicating whether the request watches the first rows of a list.
    var isOfFirst: Bool { isWatched && query.has("limit") && (query.text("cursor") ?? "").isEmpty }

    /// Returns the watch of the best matches of a search, as a view, because a match's representation does not contain
    /// its rank. Returns `nil` if the request watches all matches, or in another order.
    func best(_ isRanked: Bool, of kind: ResourceKind, in scopes: [ChangeScope]) throws(RequestError) -> WatchPlan? {
        guard isRanked, isOfFirst else { return nil }
        try demandAllFields("a search")
        return .view(of: scopes.map { .list(kind, $0) }, club: scopes.first?.club)
    }

    /// Throws if the query selects fields of a view of first rows.
    func demandAllFields(_ list: String) throws(RequestError) {
        guard query.has("fields") else { return }
        throw query.refusal("fields", "does not apply to the first page of \(list), which has all fields")
    }
}

/// Pages whose items come from the cache.
extension RequestPipeline {
    /// Returns a function that looks up a cached representation by id and version. It returns `nil` unless the cache
    /// has exactly that version.
    func known(as kind: ResourceKind) -> (_ id: ResourceID, _ version: Int64) -> [UInt8]? {
        { [models] id, version in
            guard let model = models.value(kind, id), model.version == version else { return nil }
            return model.bytes
        }
    }

    /// Returns an encoded page, and caches the representations that were read for it.
    func encoded<Value: Resource>(_ page: ListPage<CachedOrReadItem<Value>>, scope: ChangeScope, seq: Int64)
        -> EncodedListPage
    {
        page.encoded(epoch, seq: seq) { item, json in
            switch item {
            case .known(let bytes): json.raw(bytes)
            case .read(let value):
                let bytes = value.encoded()
                models.store(Value.kind, value.id, version: value.version, bytes: bytes, scope: scope)
                json.raw(bytes)
            }
        }
    }
}
