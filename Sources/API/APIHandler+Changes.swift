import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension APIHandler {
    func listChanges(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: ["after", "limit", "ticket", "fields"])
        let limit = try query.limit()
        if watches(request) { return try streamChanges(query, viewer, request, &response) }
        try requireJSON(request)
        let said = query.text("after") ?? ""
        let seconds = Prefer.wait(request, max: Self.waitSecondsMax) ?? 0
        let (page, topics) = try read { () throws(LecternError) -> (ChangePage, [Topic]) in
            let page = try self.changes(after: said, viewer, limit)
            // In the snapshot that had nothing: what comes after it is heard.
            let waits = seconds > 0 && page.changes.isEmpty && page.isEnd
            return (page, waits ? try self.feeds(of: viewer) : [])
        }
        guard topics.isEmpty else {
            wait(seconds, viewer, topics, after: page.through, limit: limit, on: request.connection)
            return .deferred
        }
        write(page.changes.map { $0.encoded() }, through: page.through, &response)
        return .answered
    }

    /// A page of changes after a cursor; nothing stands for the beginning of the log.
    private func changes(after said: String, _ viewer: Viewer, _ limit: Int) throws(LecternError) -> ChangePage {
        switch try position(said, head: try reads.head(), of: viewer, isFeed: true) {
        case .known(let seq): return try reads.changes(after: seq, seenBy: viewer.readerKey, limit: limit)
        case .unknown(let reason):
            throw .refused(.cursorNotServed, "The log cannot go on from there: \(reason). Begin again without after.")
        }
    }

    /// What a feed listens to.
    private func feeds(of viewer: Viewer) throws(LecternError) -> [Topic] {
        let clubs = try reads.clubs(of: viewer.readerKey)
        return [.feed(.everyone), .feed(viewer.scope)]
            + clubs.flatMap { Topic.feeds(ofClub: $0.club, for: viewer, moderates: $0.moderatesSince != nil) }
    }

    private func streamChanges(
        _ query: Query, _ viewer: Viewer, _ request: borrowing Request, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        // The clubs are read before the cursor is: who comes to another one in between has it followed by its event.
        let watch = Watch(topics: try feeds(of: viewer), kind: nil, filter: nil)
        return try stream(watch, query, viewer, request, &response) { () throws(LecternError) in
            // A feed has no state of its own: its snapshot only names the place from where it goes on.
            EncodedPage(body: Array("{\"seq\":\(try self.reads.head())}".utf8), next: nil)
        }
    }

    /// Answers a long poll with what the log has for it.
    func answer(_ waiter: Waiter, _ id: ConnectionID) {
        forget(id)
        loop.answer(id) { response in
            do throws(LecternError) {
                let cursor = EventID(epoch: self.epoch, seq: waiter.subscription.cursor).description
                let page = try self.read { () throws(LecternError) in
                    try self.changes(after: cursor, waiter.subscription.viewer, waiter.limit)
                }
                self.write(page.changes.map { $0.encoded() }, through: page.through, &response)
            } catch {
                _ = self.refuse(error, &response)
            }
        }
    }

    /// Writes a page of changes, each as its event says it.
    func write(_ items: [some Sequence<UInt8>], through seq: Int64, _ response: inout ResponseWriter) {
        var json = JSONWriter(capacity: 512 * (items.count + 1))
        json.beginObject()
        json.name("items")
        json.beginArray()
        for item in items { json.raw(Array(item)) }
        json.endArray()
        json.name("next")
        json.string(EventID(epoch: epoch, seq: seq).description)
        json.name("seq")
        json.integer(seq)
        json.endObject()
        response.field("Cache-Control", "no-store")
        response.body(json.bytes, type: "application/json")
    }
}
