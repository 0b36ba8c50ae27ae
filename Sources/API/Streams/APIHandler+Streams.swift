import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    /// Opens a stream: from the cursor that the client has, or from a snapshot.
    func stream(
        _ watch: Watch, _ query: Query, _ viewer: Viewer, _ request: borrowing Request,
        _ response: inout ResponseWriter,
        snapshot: @escaping () throws(LecternError) -> EncodedPage
    ) throws(LecternError) -> Disposition {
        let fields = try watch.kind.flatMap { kind throws(LecternError) in try query.fields(of: kind) }
        // The clubs are read before the cursor is: who comes to another one in between has it followed by its event.
        let topics = try topics(of: watch, viewer)
        var shown: [UInt8]?
        let (cursor, frames) = try read { () throws(LecternError) in
            try self.beginning(of: watch, query, viewer, request) { () throws(LecternError) in
                let page = try snapshot()
                if watch.form == .view { shown = ETag.bytes(hashing: page.body) }
                return page
            }
        }
        let owner = service.owners.next()
        if request.method != .head {
            try service.watches.enter(owner, viewer, self, comesBack: request.field("last-event-id") != nil)
        }
        response.field("Cache-Control", "no-store")
        response.field("X-Accel-Buffering", "no")
        if request.method == .head {
            response.stream([], type: "text/event-stream")
            return .answered
        }
        let subscription = Subscription(
            owner: owner, viewer: viewer, form: watch.form, topics: topics, inEachClub: watch.inEachClub,
            club: watch.club, whole: watch.whole, fields: fields, filter: watch.filter, cursor: cursor.seq,
            parts: cursor.parts)
        let retry = EventFrame.retry(milliseconds: .random(in: 1000...4000))
        response.stream(retry + frames.joined(), type: "text/event-stream")
        open(Stream(subscription, watch, shown: shown, snapshot: snapshot), on: request.connection)
        return .stream
    }

    /// What a watch listens to.
    func topics(of watch: Watch, _ viewer: Viewer) throws(LecternError) -> [Topic] {
        guard let inEachClub = watch.inEachClub else { return watch.topics }
        return try watch.topics
            + reads.clubs(of: viewer.readerKey).flatMap { inEachClub($0.club, viewer, $0.moderatesSince != nil) }
    }

    /// Where the subscription begins, and what is sent before its first event.
    private func beginning(
        of watch: Watch, _ query: Query, _ viewer: Viewer, _ request: borrowing Request,
        _ snapshot: () throws(LecternError) -> EncodedPage
    ) throws(LecternError) -> (LogCursor, [[UInt8]]) {
        let head = try reads.head()
        let now = LogCursor(epoch: epoch, seq: head)
        guard let said = try cursorText(query, request) else {
            try demandMembership(of: viewer, in: watch.club)
            return (now, [EventFrame.snapshot(try snapshot().body, at: EventID(epoch: epoch, seq: head))])
        }
        let reason: String
        switch try position(said, head: head, in: watch.club, of: viewer, isFeed: watch.isFeed) {
        // A feed that begins where the log does says where that is.
        case .known(let cursor) where said.isEmpty:
            return (cursor, [EventFrame.snapshot(try place(cursor.seq), at: EventID(epoch: epoch, seq: cursor.seq))])
        case .known(let cursor):
            // The snapshot is not sent, but it tells whether there is something that the viewer may watch.
            if watch.filter == nil, !watch.isFeed, cursor.seq >= head { _ = try snapshot() }
            return (cursor, [])
        case .unknown(let why): reason = why
        }
        return (now, try restart(snapshot, reason, at: head))
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
    func cursorText(_ query: Query, _ request: borrowing Request) throws(LecternError) -> String? {
        try request.demandOnce("last-event-id")
        if let field = request.field("last-event-id"), field.byteCount > 0 { return text(of: field) }
        return query.text("after")
    }

    /// What a cursor is worth.
    enum Position {
        case known(LogCursor)
        case unknown(reason: String)
    }

    /// Whether a view can go on from a cursor. For a feed, which has no beginning but the log's, an empty one is that. A bare
    /// number, which may be of any log, is none.
    func position(
        _ text: String, head: Int64, in club: Int64? = nil, of viewer: Viewer, isFeed: Bool
    ) throws(LecternError) -> Position {
        if isFeed, text.isEmpty { return .known(LogCursor(epoch: epoch, seq: try reads.floor())) }
        guard let cursor = LogCursor(text) else {
            return .unknown(reason: "the cursor is no id of an event, nor an \"after\" or \"next\" that was answered")
        }
        guard cursor.epoch == epoch else { return .unknown(reason: "the cursor is of another log") }
        guard cursor.seq + (cursor.parts > 0 ? 1 : 0) <= head else {
            return .unknown(reason: "the cursor is ahead of the log")
        }
        if let gap = try gap(after: cursor.seq, in: club, of: viewer) { return .unknown(reason: gap) }
        guard cursor.parts > 0 else { return .known(cursor) }
        guard isFeed else { return .unknown(reason: "only the changes as a whole can go on from within a change") }
        guard try cursor.parts < reads.parts(of: cursor.seq + 1, toldTo: viewer.readerKey) else {
            return .unknown(reason: "the cursor is within a change that has no such parts")
        }
        return .known(cursor)
    }

    /// Why what follows a cursor is not all there to be told; nil when it is. A view begins where the log does, and a club's
    /// where its viewer came to it. To be asked in the snapshot from which is read on.
    func gap(after seq: Int64, in club: Int64?, of viewer: Viewer) throws(LecternError) -> String? {
        if try seq < reads.floor() { return "the cursor is older than the log" }
        return try seq < demandMembership(of: viewer, in: club) ? "the cursor is older than the membership" : nil
    }

    /// Where the viewer's membership of a club began; the beginning of time for what is no club's.
    @discardableResult
    private func demandMembership(of viewer: Viewer, in club: Int64?) throws(LecternError) -> Int64 {
        guard let club else { return 0 }
        guard let began = try reads.membershipBegan(of: viewer.readerKey, inClub: club) else { throw .notFound }
        return began
    }

    private func open(_ stream: Stream, on connection: ConnectionID) {
        models.subscribe(stream.subscription)
        streams[connection] = stream
        connections[stream.subscription.owner] = connection
    }

    func streamIdle(_ id: ConnectionID) {
        guard let stream = streams[id], stream.subscription.state.phase == .live else { return }
        _ = loop.send(models.heartbeat(for: stream.subscription), to: id)
    }

    func connectionClosed(_ id: ConnectionID) { forget(id) }

    /// Does what follows from a commit, or from a page of the log.
    func perform(_ effects: [Effect]) {
        for effect in effects { perform(effect) }
    }

    func perform(_ effect: Effect) {
        switch effect {
        case .end(let subscription): end(subscription)
        case .send(let subscription, let frames, let through):
            guard !subscription.hasEnded else { return }
            switch models.delivered(subscription, through: through, deliver(subscription, frames, through)) {
            case .none: break
            case .readLog, .goOn: goOn(subscription)
            case .end: end(subscription)
            }
        }
    }

    /// A subscription has lost its right, or what it shows: its stream ends.
    private func end(_ subscription: Subscription) {
        if let id = connections[subscription.owner] { close(id) }
    }

    /// Gives frames to the socket of a subscription, or answers the poll that waits for them.
    private func deliver(
        _ subscription: Subscription, _ frames: [[UInt8]], _ through: Int64
    ) -> SubscriptionState.Delivery {
        if frames.isEmpty { return .taken }
        guard let id = connections[subscription.owner] else { return .gone }
        if let waiter = waiters[id] {
            answer(waiter, id, with: frames, through: through)
            return .gone
        }
        switch loop.send(frames, to: id) {
        case .sent: return .taken
        case .kept: return .kept
        case .gone: return .gone
        }
    }

    /// Ends a stream after what it has been sent.
    func close(_ id: ConnectionID) {
        forget(id)
        loop.end(id)
    }

    /// Another stream of the same reader takes its place.
    func giveWay(_ owner: UInt64) {
        guard let id = connections[owner] else { return }
        if let waiter = waiters[id] { answer(waiter, id, with: [], through: models.head) } else { close(id) }
    }

    /// Lets go of what a connection waited for.
    func forget(_ id: ConnectionID) {
        let stream = streams.removeValue(forKey: id)
        let waiter = waiters.removeValue(forKey: id)
        guard let subscription = stream?.subscription ?? waiter?.subscription else { return }
        stalled.remove(id)
        connections[subscription.owner] = nil
        service.watches.leave(subscription.owner, subscription.viewer)
        models.cancel(subscription)
    }

    func tick(now: Int64) {
        let wall = Instant.now
        for (id, stream) in streams where stream.subscription.viewer.expiresAt.map({ $0 <= wall }) ?? false {
            close(id)
        }
        tickWaiters(now: now, wall)
        retryStalled()
        noteLevels()
    }

    func draining() {
        for id in Array(streams.keys) { close(id) }
        for (id, waiter) in waiters { answer(waiter, id, with: [], through: models.head) }
    }
}
