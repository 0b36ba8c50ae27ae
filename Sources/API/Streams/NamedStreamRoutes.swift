import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of streams: several URLs on one connection.
extension Route {
    private static let unwatched = RouteWatchSupport.no(because: "Streams are not in the log.")

    static let streams: [Route] = [
        Route(.get, "/v1/streams", "listStreams", parameters: paged(), watching: unwatched) {
            call throws(RequestError) in
            let (reader, paging) = (call.viewer.readerKey, try call.query.paging())
            let (reads, epoch) = (call.reads, call.pipeline.epoch)
            return .list(WatchPlan(topics: [])) { () throws(RequestError) in
                let page = try ReadConnection.streams.page(
                    reads, of: reader, after: paging.cursor, limit: paging.limit)
                let seq = try reads.head()
                return page.encoded(epoch, seq: seq) { $0.write(to: &$1) }
            }
        },
        Route(.post, "/v1/streams", "createStream", access: .read) { call throws(RequestError) in
            let (id, secret) = (ResourceID(madeAt: call.now), TokenSecret(prefix: ""))
            let patch = try NamedStreamPatch(call.json(), form: .whole, debounce: 500)
            try call.pipeline.demandWatchable(patch.watch, by: call.viewer)
            return .commit(
                .createStream(id, patch, secret.digest),
                secret: ShownSecret(name: "url", text: "/v1/streams/\(id)/events?secret=\(secret.text)"))
        },
        Route(.get, "/v1/streams/{id}", "getStream", watching: unwatched) { call throws(RequestError) in
            let (id, reader) = (try call.id(0), call.viewer.readerKey)
            return try call.one(id) { reads throws(RequestError) in try reads.stream(id, of: reader) }
        },
        Route(.patch, "/v1/streams/{id}", "updateStream", access: .read) { call throws(RequestError) in
            let (id, body) = (try call.id(0), try call.json(mergePatch: true))
            let patch = try NamedStreamPatch(body, form: .patch, debounce: 500)
            try call.pipeline.demandWatchable(patch.watch, by: call.viewer)
            return .commit(.updateStream(id, body))
        },
        deleting("/v1/streams/{id}", "deleteStream", inBatches: false, access: .read) { .deleteStream($0[0]) },
        Route(
            .get, "/v1/streams/{id}/events", "openStream", parameters: ["secret", "after"], admission: .anyone,
            watching: .no(because: "It is the URL of a stream. Watch the URL of a resource or a list.")
        ) { call throws(RequestError) in
            let id = try call.id(0)
            let digest = TokenSecret.digest(of: call.query.text("secret") ?? "")
            let stream = try call.reads.stream(digest: digest)
            guard let stream, stream.id == id, call.service.leases.holds(id) else {
                throw .refused(
                    .streamUnknown,
                    "The stream does not exist, or its lease expired. Create one with POST /v1/streams."
                )
            }
            // An EventSource does not reconnect after the status 204 (WHATWG HTML, 9.2.1).
            guard let viewer = try call.pipeline.holder(of: stream, now: call.now) else { return .document(.nothing) }
            let cursor = try call.pipeline.cursor(call.query, call.request)
            return .deferred(
                .stream(try call.pipeline.stream(stream, after: cursor, viewer, on: call.request.connection)))
        },
    ]
}
