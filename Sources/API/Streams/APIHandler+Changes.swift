import HTTPServer
import JSON
import Model
import ObservableModels
import Store

extension APIHandler {
    func listChanges(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: ["after", "limit", "ticket"])
        let limit = try query.limit()
        if watches(request) { return try streamChanges(query, viewer, request, &response) }
        try requireJSON(request)
        let said = query.text("after")
        let seconds = Prefer.wait(request, max: Self.waitSecondsMax) ?? 0
        let (page, topics) = try read { () throws(LecternError) -> (FeedPage, [Topic]) in
            let page = try self.changes(after: said, viewer, limit)
            // In the snapshot that had nothing: what comes after it is heard.
            let waits = seconds > 0 && page.items.isEmpty && page.isEnd
            return (page, waits ? try self.topics(of: .feed(of: viewer), viewer) : [])
        }
        guard topics.isEmpty else {
            try wait(seconds, viewer, topics, after: page.next.seq, limit: limit, on: request.connection)
            return .deferred
        }
        write(page, limit, waited: seconds, &response)
        return .answered
    }

    /// A page of changes after a cursor. An empty cursor stands for the beginning of the log,
    /// and none for now.
    private func changes(
        after said: String?, _ viewer: Viewer, _ limit: Int
    ) throws(LecternError) -> FeedPage {
        let (head, floor) = (try reads.head(), try reads.floor())
        guard let said else { return feedPage([], through: head, floor: floor) }
        switch try position(said, head: head, of: viewer, isFeed: true) {
        case .known(let cursor):
            let page = try reads.changes(
                after: cursor.seq, parts: cursor.parts, splits: true, seenBy: viewer.readerKey, limit: limit)
            var answer = feedPage(
                page.changes.map { $0.encoded() }, through: page.through, parts: page.parts, floor: floor)
            answer.isEnd = page.isEnd
            return answer
        case .unknown(let reason):
            throw .refused(
                .cursorNotServed,
                """
                The log cannot go on from there: \(reason). It goes back to \(EventID(epoch: epoch, seq: floor)) now. Ask \
                without "after" for where it is, read the lists anew, and then go on from there.
                """)
        }
    }

    private func streamChanges(
        _ query: Query, _ viewer: Viewer, _ request: borrowing Request, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let watch = Watch.feed(of: viewer)
        return try stream(watch, query, viewer, request, &response) { () throws(LecternError) in
            // A feed has no state of its own: its snapshot only names the place from where it goes on.
            EncodedPage(body: try self.place(self.reads.head()), next: nil)
        }
    }

    /// What a feed begins with: where that is, and how far back the log goes.
    func place(_ seq: Int64) throws(LecternError) -> [UInt8] {
        var json = JSONWriter(capacity: 128)
        json.beginObject()
        json.name("after")
        json.eventID(EventID(epoch: epoch, seq: seq))
        json.name("seq")
        json.integer(seq)
        json.name("floor")
        json.eventID(EventID(epoch: epoch, seq: try reads.floor()))
        json.endObject()
        return json.bytes
    }

    /// Answers a long poll with what the log has for it.
    func answer(_ waiter: Waiter, _ id: ConnectionID) {
        answer(waiter, id) { () throws(LecternError) in
            let cursor = EventID(epoch: self.epoch, seq: waiter.subscription.state.cursor).description
            return try self.read { () throws(LecternError) in
                try self.changes(after: cursor, waiter.subscription.viewer, waiter.limit)
            }
        }
    }

    /// Answers a long poll with a page, or with why there is none.
    func answer(_ waiter: Waiter, _ id: ConnectionID, with page: () throws(LecternError) -> FeedPage) {
        forget(id)
        loop.answer(id) { response in
            do throws(LecternError) {
                self.write(try page(), waiter.limit, waited: waiter.seconds, &response)
            } catch {
                _ = self.refuse(error, &response)
            }
        }
    }

    /// A page of changes up to a place; from there the next one goes on.
    func feedPage(
        _ items: [[UInt8]], through seq: Int64, parts: Int = 0, floor: Int64
    ) -> FeedPage {
        FeedPage(
            items: items, next: LogCursor(epoch: epoch, seq: seq, parts: parts),
            floor: EventID(epoch: epoch, seq: floor))
    }

    private func write(_ page: FeedPage, _ limit: Int, waited seconds: Int, _ response: inout ResponseWriter) {
        response.field("Cache-Control", "no-store")
        if !page.isEnd {
            response.field("Link", Array("</v1/changes?limit=\(limit)&after=\(page.next)>; rel=\"next\"".utf8))
        }
        if seconds > 0 { response.field("Preference-Applied", Array("wait=\(seconds)".utf8)) }
        response.body(page.encoded(), type: "application/json")
    }
}
