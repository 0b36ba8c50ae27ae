import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// A long poll: an answer that waits for the next change.
struct Waiter {
    let viewer: Viewer
    let after: Int64
    let limit: Int
    /// In monotonic milliseconds.
    let deadline: Int64
}

extension APIHandler {
    /// The longest that `Prefer: wait` may ask for.
    static let waitSecondsMax = 60

    func listChanges(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: ["after", "limit", "ticket", "fields"])
        let limit = try query.limit()
        if watches(request) { return try streamChanges(query, viewer, request, &response) }
        try requireJSON(request)
        let said = query.text("after")
        let start = try read { () throws(LecternError) -> Int64 in
            guard let said, !said.isEmpty else { return try self.reads.floor() }
            switch try self.position(said, head: try self.reads.head()) {
            case .known(let seq): return seq
            case .unknown(let reason):
                throw .refused(
                    .cursorNotServed, "The log cannot go on from there: \(reason). Begin again without after.")
            }
        }
        let page = try changes(after: start, viewer, limit)
        if page.changes.isEmpty, let seconds = Prefer.wait(request, max: Self.waitSecondsMax), seconds > 0 {
            waiters[request.connection] = Waiter(
                viewer: viewer, after: page.through, limit: limit, deadline: loop.now + Int64(seconds) * 1000)
            return .deferred
        }
        write(page, &response)
        return .answered
    }

    private func streamChanges(
        _ query: Query, _ viewer: Viewer, _ request: borrowing Request, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        // The clubs are read before the cursor is: who comes to another one in between has it followed by its event.
        let clubs = try reads.clubs(of: viewer.readerKey)
        let topics = clubs.flatMap {
            Topic.feeds(ofClub: $0.club, for: viewer, moderates: $0.moderatesSince != nil)
        }
        let watch = Watch(topics: [.feed(.everyone), .feed(viewer.scope)] + topics, kind: nil, filter: nil)
        return try stream(watch, query, viewer, request, &response) { () throws(LecternError) in
            // A feed has no state of its own: its snapshot only names the place from where it goes on.
            EncodedPage(body: Array("{\"seq\":\(try self.reads.head())}".utf8), next: nil)
        }
    }

    /// Answers the long polls that a commit has something for.
    func wakeWaiters(for commit: Commit) {
        guard !waiters.isEmpty else { return }
        let clubs = Set(commit.changes.compactMap(\.scope.club))
        for (id, waiter) in waiters {
            if commit.changes.contains(where: { waiter.viewer.maySee($0.scope) }) {
                answer(waiter, id)
            } else if !clubs.isEmpty, let own = try? reads.clubs(of: waiter.viewer.readerKey),
                own.contains(where: { clubs.contains($0.club) }),
                let page = try? changes(after: waiter.after, waiter.viewer, waiter.limit), !page.changes.isEmpty
            {
                answer(waiter, id)
            }
        }
    }

    /// Answers a long poll with what there is by now.
    func answer(_ waiter: Waiter, _ id: ConnectionID) {
        waiters[id] = nil
        loop.answer(id) { response in
            do throws(LecternError) {
                self.write(try self.changes(after: waiter.after, waiter.viewer, waiter.limit), &response)
            } catch {
                _ = self.refuse(error, &response)
            }
        }
    }

    private func changes(after cursor: Int64, _ viewer: Viewer, _ limit: Int) throws(LecternError) -> ChangePage {
        try reads.changes(after: cursor, seenBy: viewer.readerKey, limit: limit)
    }

    private func write(_ page: ChangePage, _ response: inout ResponseWriter) {
        var json = JSONWriter(capacity: 512 * (page.changes.count + 1))
        json.beginObject()
        json.name("items")
        json.beginArray()
        for change in page.changes { change.write(to: &json) }
        json.endArray()
        json.name("next")
        json.string(EventID(epoch: epoch, seq: page.through).description)
        json.name("seq")
        json.integer(page.through)
        json.endObject()
        response.field("Cache-Control", "no-store")
        response.body(json.bytes, type: "application/json")
    }
}
