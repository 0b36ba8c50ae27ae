import JSON
import Model
import ObservableModels
import Store

/// Which page of a list is asked for.
struct Paging {
    let cursor: String?
    let limit: Int

    /// How many items a page has, and has at most.
    struct Size {
        var standard = 20
        var max: Int32 = 100
    }
}

/// Encodes the items of a page that show more than their representations.
typealias ItemEncoder<Value> = (ReadConnection, [Value]) throws(LecternError) -> [[UInt8]]

/// Replies that are pages of resources.
extension Call {
    /// A list of what has one scope: everyone's, or the viewer's own.
    func list<Value: Resource>(
        in scope: Scope, watch: Watch? = nil, filter: ListFilter = .all, order: ListOrder? = nil,
        encode: ItemEncoder<Value>? = nil,
        _ page: @escaping (ReadConnection, Paging) throws(LecternError) -> Page<Value>
    ) throws(LecternError) -> Reply {
        let (reads, epoch, paging) = (reads, desk.epoch, try query.paging())
        let all = watch ?? Watch(topics: [.list(Value.kind, scope)], kind: Value.kind, filter: filter)
        let watch = narrowed(all, order, in: scope, limit: paging.limit, page)
        return .list(watch) { () throws(LecternError) in
            try watch.page(paging) { paging throws(LecternError) in try page(reads, paging) }
                .encoded(epoch, seq: reads.lastSeq(of: scope), reads, encode)
        }
    }

    /// The same of what is held: items are sent as they are held, and read only where they are not. `other` is the scope of what the
    /// items also show.
    func list<Value: Resource>(
        in scope: Scope, besides other: Scope? = nil, filter: ListFilter = .all, order: ListOrder? = nil,
        whole: Topic? = nil, watch: Watch? = nil,
        _ page: @escaping (ReadConnection, Paging, Listed<Value>.Known) throws(LecternError) -> Page<Listed<Value>>
    ) throws(LecternError) -> Reply {
        let (desk, paging) = (desk, try query.paging())
        let all = watch ?? Watch(topics: [.list(Value.kind, scope)], kind: Value.kind, filter: filter, whole: whole)
        let watch = narrowed(all, order, in: scope, limit: paging.limit) { reads, paging throws(LecternError) in
            try page(reads, paging) { _, _ in nil }.values()
        }
        return .list(watch) { () throws(LecternError) in
            let page = try watch.page(paging) { paging throws(LecternError) in
                try page(desk.reads, paging, desk.known(as: Value.kind))
            }
            var seq = try desk.reads.lastSeq(of: scope)
            if let other { seq = try max(seq, desk.reads.lastSeq(of: other)) }
            return desk.encoded(page, scope: scope, seq: seq)
        }
    }

    /// How the first rows of a list are watched, where a limit is asked for and they have an order that changes tell; else the same.
    private func narrowed<Value: Resource>(
        _ watch: Watch, _ order: ListOrder?, in scope: Scope, of reader: Int64? = nil, limit: Int,
        _ page: @escaping (ReadConnection, Paging) throws(LecternError) -> Page<Value>
    ) -> Watch {
        guard watch.form == .events, isOfFirst, let order, let filter = watch.filter else { return watch }
        let shape = WindowShape(filter, order, limit: limit, reader: reader)
        return watch.window(shape, of: Value.kind, scope, reads, page)
    }

    /// Whether the first so many of a list are watched.
    private var isOfFirst: Bool { isWatched && query.has("limit") && (query.text("cursor") ?? "").isEmpty }

    /// How the first that a search finds are watched where the best come first: as a view, for what is sent of one does not say
    /// where it stands. Nil for all that it finds, and for another order.
    func best(_ isRanked: Bool, of kind: ResourceKind, in scopes: Scope..., club: Int64? = nil) throws(LecternError)
        -> Watch?
    {
        guard isRanked, isOfFirst else { return nil }
        if query.has("fields") {
            throw query.refusal("fields", "does not apply to the first page of a search, which has all fields")
        }
        return .view(of: scopes.map { .list(kind, $0) }, club: club)
    }

    /// Returns how standings are watched in a club: moderators hear of what is for them in place of what is for the other members, and
    /// with another role a snapshot tells what there is then.
    func watch(standingsIn club: Club, _ filter: ListFilter, whole: Topic?) throws(LecternError) -> Watch {
        let key = club.key
        let topics: Part.InEachClub = { club, _, moderates in
            guard club == key else { return [] }
            return [
                .list(.standing, .club(key: key)),
                moderates
                    ? .list(.moderatorStanding, .moderators(ofClub: key))
                    : .list(.standing, .plainMembers(ofClub: key)),
            ]
        }
        guard isOfFirst else {
            return Watch(
                topics: [], kind: .standing, filter: filter, club: key, whole: whole, inEachClub: topics)
        }
        if query.has("fields") {
            throw query.refusal("fields", "does not apply to the first page of standings, which has all fields")
        }
        return .view(of: [], inEachClub: topics, club: key, whole: whole)
    }

    /// A list for those who may do something in a club, which is that in the path unless another is named, and as long as they may.
    func list<Value: Resource>(
        in club: ResourceID? = nil, whoMay action: ClubAction, size: Paging.Size = Paging.Size(),
        _ page: @escaping (ReadConnection, Club, Paging) throws(LecternError) -> Page<Value>
    ) throws(LecternError) -> Reply {
        let viewer = viewer
        let id = if let club { club } else { try self.id(0) }
        guard let (club, member) = try reads.club(id, of: viewer.readerKey) else { throw .notFound }
        try Rights.demand(action, of: member.role)
        let parts: [Topic] = [.list(Value.kind, .moderators(ofClub: club.key)), .resource(.member, member.id)]
        return try list(of: club, watch: .view(of: parts, club: club.key), size: size) {
            reads, paging throws(LecternError) in
            try page(reads, try reads.club(id, for: viewer, to: action), paging)
        }
    }

    /// A list of what is a club's. `scopes`: of which the changes are, where not all members hear of them. `skips`: who falls behind
    /// gets the list anew. `count`: the number that the page says besides.
    func list<Value: Resource>(
        of club: Club, watch: Watch? = nil, scopes: [Scope]? = nil, filter: ListFilter = .all,
        order: ListOrder? = nil, whole: Topic? = nil, skips: Bool = false,
        size: Paging.Size = Paging.Size(),
        count: Watch.Count? = nil, encode: ItemEncoder<Value>? = nil,
        _ page: @escaping (ReadConnection, Paging) throws(LecternError) -> Page<Value>
    ) throws(LecternError) -> Reply {
        let (reads, epoch, paging) = (reads, desk.epoch, try query.paging(size))
        let (key, reader) = (club.key, viewer.readerKey)
        let topics = (scopes ?? [.club(key: key)]).map { Topic.list(Value.kind, $0) }
        var all = watch ?? Watch(topics: topics, kind: Value.kind, filter: filter, club: key, whole: whole)
        all.renews = skips && paging.cursor == nil
        all.count = count
        // Where not all members hear of the same they do not see the same.
        let watch = narrowed(
            all, order, in: .club(key: key), of: scopes == nil ? nil : reader, limit: paging.limit, page)
        return .list(watch) { () throws(LecternError) in
            let page = try watch.page(paging) { paging throws(LecternError) in try page(reads, paging) }
            var extra: (name: StaticString, value: Int64)?
            if let count, let value = try count.read() { extra = (count.name, value) }
            return try page.encoded(
                epoch, seq: reads.lastSeq(ofClub: key, seenBy: reader), extra: extra, reads, encode)
        }
    }
}

/// Pages whose items are sent as they are held.
extension Desk {
    /// The representations of a kind that are held here, by id and version: the version that a page's snapshot names is the one that is
    /// sent, whatever else is held.
    func known(as kind: ResourceKind) -> (_ id: ResourceID, _ version: Int64) -> [UInt8]? {
        { [models] id, version in
            guard let model = models.value(kind, id), model.version == version else { return nil }
            return model.bytes
        }
    }

    /// A page; what was read for it is held for the next one.
    func encoded<Value: Resource>(_ page: Page<Listed<Value>>, scope: Scope, seq: Int64) -> EncodedPage {
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
