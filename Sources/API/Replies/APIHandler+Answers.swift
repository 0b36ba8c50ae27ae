import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension APIHandler {
    /// Answers with a representation, or 304 when the client has it.
    func answer(representation: [UInt8], version: Int64, _ request: borrowing Request, _ response: inout ResponseWriter)
        -> Disposition
    {
        answer(body: representation, tag: ETag.bytes(EventID(epoch: epoch, seq: version)), request, &response)
    }

    /// Answers with a page of a list, or 304 when the client has it.
    func answer(
        list: () throws(LecternError) -> EncodedPage, _ request: borrowing Request, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try requireJSON(request)
        return answer(try page(try read(list), request), request, &response)
    }

    /// Answers with a page of what is a club's, or with the stream of the list. `skips`: who falls behind gets the list anew.
    func answer<Value: Resource>(
        list kind: Value.Type, of club: Club, filter: ListFilter = .all, whole: Topic? = nil, skips: Bool = false,
        _ query: Query, _ viewer: Viewer, _ request: borrowing Request, _ response: inout ResponseWriter,
        page: @escaping () throws(LecternError) -> Page<Value>
    ) throws(LecternError) -> Disposition {
        _ = try query.fields(of: Value.kind)
        let encoded = { [reads, epoch] () throws(LecternError) in
            try page().encoded(epoch, seq: reads.lastSeq(ofClub: club.key, seenBy: viewer.readerKey))
        }
        guard watches(request) else { return try answer(list: encoded, request, &response) }
        var watch = Watch(
            topics: [.list(Value.kind, .club(key: club.key))], kind: Value.kind, filter: filter, club: club.key)
        watch.whole = whole
        watch.renews = skips && query.text("cursor") == nil
        return try stream(watch, query, viewer, request, &response, snapshot: encoded)
    }

    /// A page with what its answer says of it.
    func page(_ page: EncodedPage, _ request: borrowing Request) throws(LecternError) -> SentPage {
        let link = if let next = page.next { try link(to: next, request) } else { nil as [UInt8]? }
        return SentPage(body: page.body, tag: ETag.bytes(hashing: page.body), link: link)
    }

    func answer(_ page: SentPage, _ request: borrowing Request, _ response: inout ResponseWriter) -> Disposition {
        if let link = page.link { response.field("Link", link) }
        return answer(body: page.body, tag: page.tag, request, &response)
    }

    /// One snapshot of the database for all that `body` reads.
    func read<Result>(_ body: () throws(LecternError) -> Result) throws(LecternError) -> Result {
        try reads.read(body)
    }

    /// Answers with a resource that lives under its id: from the models where they have it, otherwise from the database.
    func get<Value: Resource>(
        _ type: Value.Type, _ id: ResourceID, _ scope: Scope, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter, load: @escaping () throws(LecternError) -> Value?
    ) throws(LecternError) -> Disposition {
        if watches(request) {
            let query = try Query(request, known: Query.ofStreams)
            let watch = Watch(topics: [.resource(Value.kind, id)], kind: Value.kind, filter: nil)
            return try stream(watch, query, viewer, request, &response) { () throws(LecternError) in
                guard let value = try load() else { throw .notFound }
                return EncodedPage(body: value.encoded(), next: nil)
            }
        }
        if request.query.byteCount > 0 { _ = try Query(request, known: Query.ofStreams).fields(of: Value.kind) }
        try requireJSON(request)
        if let known = models.value(Value.kind, id) {
            guard viewer.maySee(known.scope) else { throw .notFound }
            return answer(representation: known.bytes, version: known.version, request, &response)
        }
        guard let value = try load() else { throw .notFound }
        let bytes = value.encoded()
        models.store(Value.kind, id, version: value.version, bytes: bytes, scope: scope)
        return answer(representation: bytes, version: value.version, request, &response)
    }

    /// Answers with one thing of a club's, which is read anew each time because who may see it changes, or with its stream.
    func answer<Value: Resource>(
        one kind: Value.Type, _ id: ResourceID, of club: Int64?, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter, load: @escaping () throws(LecternError) -> Value
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: Query.ofStreams)
        if watches(request) {
            let watch = Watch(topics: [.resource(Value.kind, id)], kind: Value.kind, filter: nil, club: club)
            return try stream(watch, query, viewer, request, &response) { () throws(LecternError) in
                EncodedPage(body: try load().encoded(), next: nil)
            }
        }
        _ = try query.fields(of: Value.kind)
        try requireJSON(request)
        let value = try load()
        return answer(representation: value.encoded(), version: value.version, request, &response)
    }

    /// Whether the client asks for a stream rather than for JSON.
    func watches(_ request: borrowing Request) -> Bool {
        MediaType.isNamed("text/event-stream", request)
    }

    /// Refuses a client that accepts no JSON.
    func requireJSON(_ request: borrowing Request) throws(LecternError) {
        guard MediaType.quality("application/json", request) > 0 else {
            throw .notAcceptable(
                offered: "application/json; where it can be watched also text/event-stream, to who names that very type"
            )
        }
    }

    func answer(
        body: [UInt8], tag: [UInt8], type: StaticString = "application/json", _ request: borrowing Request,
        _ response: inout ResponseWriter
    ) -> Disposition {
        let known = EntityTag.ifNoneMatch(request, tag.span.bytes) == .matches
        response.status(known ? 304 : 200)
        response.field("ETag", tag)
        response.field("Cache-Control", "private, no-cache")
        response.field("Vary", "Accept, Authorization")
        if known { response.empty() } else { response.body(body, type: type) }
        return .answered
    }

    /// The same request for the next page, made of what was understood of this one.
    private func link(to cursor: String, _ request: borrowing Request) throws(LecternError) -> [UInt8] {
        var link: [UInt8] = [UInt8(ascii: "<")] + bytes(of: request.path) + [UInt8(ascii: "?")]
        for parameter in try Query.parameters(of: request).all where parameter.name != "cursor" {
            PercentCoding.append(parameter.name, to: &link)
            link.append(UInt8(ascii: "="))
            PercentCoding.append(parameter.value, to: &link)
            link.append(UInt8(ascii: "&"))
        }
        link += Array("cursor=".utf8)
        PercentCoding.append(cursor, to: &link)
        return link + Array(">; rel=\"next\"".utf8)
    }
}

/// The body of a list's answer.
struct EncodedPage {
    let body: [UInt8]
    let next: String?
}

extension Page where Item: Resource {
    /// The page as its items' representations. The log's place is never before their own changes, which need not be in the
    /// scope whose last change `seq` is.
    func encoded(
        _ epoch: Epoch, seq: Int64, extra: (name: StaticString, value: Int64)? = nil
    ) -> EncodedPage {
        let seq = items.reduce(seq) { max($0, $1.version) }
        return encoded(epoch, seq: seq, extra: extra) { $0.write(to: &$1) }
    }
}

extension Page {
    /// `{"items": […], "next": …, "seq": n, "after": …}`: watching from that place on leaves no gap.
    func encoded(
        _ epoch: Epoch, seq: Int64, extra: (name: StaticString, value: Int64)? = nil,
        _ write: (Item, inout JSONWriter) -> Void
    ) -> EncodedPage {
        var json = JSONWriter(capacity: 512 * (items.count + 1))
        json.beginObject()
        json.name("items")
        json.beginArray()
        for item in items { write(item, &json) }
        json.endArray()
        json.name("next")
        json.optional(next)
        json.name("seq")
        json.integer(seq)
        json.name("after")
        json.eventID(EventID(epoch: epoch, seq: seq))
        if let extra {
            json.name(extra.name)
            json.integer(extra.value)
        }
        json.endObject()
        return EncodedPage(body: json.bytes, next: next)
    }
}
