import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// How a stream of one URL begins: from the cursor that its client has, or from a snapshot.
struct Opening {
    let topics: [Topic]
    let cursor: LogCursor
    /// What is sent before the first event.
    let frames: [[UInt8]]
    /// Of a view: the digest of what the client has now.
    let shown: [UInt8]?
    /// Whether a view may look other than the client has it, and no change will tell.
    let owes: Bool
}

extension Desk {
    func opening(
        of watched: Watched, _ query: Query, _ viewer: Viewer, _ request: borrowing Request
    ) throws(LecternError) -> Opening {
        let watch = watched.watch
        let said = try cursor(query, request)
        // The clubs are read before the cursor is: who comes to another one in between has it followed by its event.
        let topics = try topics(of: watch, viewer)
        var shown: [UInt8]?
        let (cursor, frames) = try reads.read { () throws(LecternError) in
            let head = try self.reads.head()
            return try self.beginning(of: watch, at: said, head, viewer) { () throws(LecternError) in
                let page = try watched.snapshot()
                if watch.form == .view { shown = page.digest }
                return page
            }
        }
        // What a client has that comes with a cursor is not known.
        let isNew = !frames.isEmpty
        return Opening(
            topics: topics, cursor: cursor, frames: frames, shown: isNew ? shown : nil, owes: !isNew && !watch.isTold)
    }

    /// What a watch listens to.
    func topics(of watch: Watch, _ viewer: Viewer) throws(LecternError) -> [Topic] {
        guard let inEachClub = watch.inEachClub else { return watch.topics }
        return try watch.topics
            + reads.clubs(of: viewer.readerKey).flatMap { inEachClub($0.club, viewer, $0.moderatesSince != nil) }
    }

    /// Where the subscription begins, and what is sent before its first event.
    private func beginning(
        of watch: Watch, at said: String?, _ head: Int64, _ viewer: Viewer,
        _ snapshot: () throws(LecternError) -> EncodedPage
    ) throws(LecternError) -> (LogCursor, [[UInt8]]) {
        let now = LogCursor(epoch: epoch, seq: head)
        guard let said else {
            try demandMembership(of: viewer, in: watch.club)
            return (now, [EventFrame.snapshot(try snapshot().body, at: EventID(epoch: epoch, seq: head))])
        }
        switch try position(said, head: head, in: watch.club, of: viewer, isFeed: watch.isFeed) {
        // A feed that begins where the log does says where that is.
        case .known(let cursor) where said.isEmpty:
            return (cursor, [EventFrame.snapshot(try place(cursor.seq), at: EventID(epoch: epoch, seq: cursor.seq))])
        case .known(let cursor):
            // The snapshot is not sent, but it tells whether there is something that the viewer may watch.
            let isNow = watch.form != .events || watch.filter == nil && cursor.seq >= head
            if isNow, !watch.isFeed { _ = try snapshot() }
            return (cursor, [])
        case .unknown(let reason): return (now, try restart(snapshot, reason, at: head))
        }
    }

    /// What is sent when a cursor cannot be served.
    func restart(
        _ snapshot: () throws(LecternError) -> EncodedPage, _ reason: String, at head: Int64
    ) throws(LecternError) -> [[UInt8]] {
        let frame = EventFrame.snapshot(try snapshot().body, at: EventID(epoch: epoch, seq: head))
        models.counters.resets += 1
        return [EventFrame.reset(reason: reason), frame]
    }

    /// The cursor that the client sends; the field of a reconnecting EventSource wins.
    func cursor(_ query: Query, _ request: borrowing Request) throws(LecternError) -> String? {
        try request.demandOnce("last-event-id")
        if let field = request.field("last-event-id"), field.byteCount > 0 { return text(of: field) }
        return query.text("after")
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
}
