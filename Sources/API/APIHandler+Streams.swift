import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    /// Changes that a page of a replay holds at most; between two pages other connections have their turn.
    static let replayPageMax = 256

    /// Opens a stream: from the cursor that the client has, or from a snapshot.
    func stream(
        _ watch: Watch, _ query: Query, _ viewer: Viewer, _ request: borrowing Request,
        _ response: inout ResponseWriter,
        snapshot: () throws(LecternError) -> EncodedPage
    ) throws(LecternError) -> Disposition {
        var fields: FieldSet?
        if let kind = watch.kind {
            fields = try query.fields(of: kind)
        } else if query.text("fields") != nil {
            throw query.refusal("fields", "is for streams of one kind of resource")
        }
        let (cursor, frames) = try read { () throws(LecternError) in
            try self.beginning(of: watch, query, viewer, request, snapshot)
        }
        response.field("Cache-Control", "no-store")
        response.field("X-Accel-Buffering", "no")
        if request.method == .head {
            response.stream([], type: "text/event-stream")
            return .answered
        }
        let subscription = Subscription(
            owner: service.owners.next(), viewer: viewer, topics: watch.topics, club: watch.club, fields: fields,
            filter: watch.filter, cursor: cursor)
        let retry = EventFrame.retry(milliseconds: .random(in: 1000...4000))
        response.stream(retry + frames.joined(), type: "text/event-stream")
        open(
            Stream(subscription: subscription, expiresAt: viewer.expiresAt, renewal: watch.renewal),
            on: request.connection)
        return .stream
    }

    /// Where the subscription begins, and what is sent before its first event.
    private func beginning(
        of watch: Watch, _ query: Query, _ viewer: Viewer, _ request: borrowing Request,
        _ snapshot: () throws(LecternError) -> EncodedPage
    ) throws(LecternError) -> (Int64, [[UInt8]]) {
        let head = try reads.head()
        guard let said = try cursorText(query, request) else {
            return (head, [EventFrame.snapshot(try snapshot().body, at: EventID(epoch: epoch, seq: head))])
        }
        let reason: String
        switch try position(said, head: head) {
        case .known(let seq):
            // The snapshot is not sent, but it tells whether there is something that the viewer may watch.
            if watch.filter == nil, watch.kind != nil, seq >= head { _ = try snapshot() }
            return (seq, [])
        case .unknown(let why): reason = why
        }
        models.counters.resets += 1
        return (
            head,
            [
                EventFrame.reset(reason: reason),
                EventFrame.snapshot(try snapshot().body, at: EventID(epoch: epoch, seq: head)),
            ]
        )
    }

    /// The cursor that the client sends; the field of a reconnecting EventSource wins.
    func cursorText(_ query: Query, _ request: borrowing Request) throws(LecternError) -> String? {
        try request.demandOnce("last-event-id")
        if let field = request.field("last-event-id") { return text(of: field) }
        return query.text("after")
    }

    /// What a cursor is worth.
    enum Position {
        case known(Int64)
        case unknown(reason: String)
    }

    /// Whether the log can go on from a cursor: a whole id, or a bare number of this epoch as lists give it.
    func position(_ text: String, head: Int64) throws(LecternError) -> Position {
        let seq: Int64
        if let id = EventID(text) {
            guard id.epoch == epoch else { return .unknown(reason: "the cursor is of another log") }
            seq = id.seq
        } else {
            let bytes = Array(text.utf8)
            guard let number = Digits.decimal(bytes.span.bytes, max: Int.max) else {
                return .unknown(reason: "the cursor is malformed")
            }
            seq = Int64(number)
        }
        guard seq <= head else { return .unknown(reason: "the cursor is ahead of the log") }
        guard try seq >= reads.floor() else { return .unknown(reason: "the cursor is older than the log") }
        return .known(seq)
    }

    private func open(_ stream: Stream, on connection: ConnectionID) {
        models.subscribe(stream.subscription)
        streams[connection] = stream
        connections[stream.subscription.owner] = connection
    }

    func streamWritable(_ id: ConnectionID) {
        guard let stream = streams[id] else { return }
        let fellBehind = stream.subscription.state == .parked && stream.subscription.fellBehind
        guard models.wake(stream.subscription) else { return }
        if fellBehind, let renewal = stream.renewal { renew(id, renewal) } else { replay(id) }
    }

    /// Gives a subscriber who fell behind what there is now; what came in between it is not told.
    private func renew(_ id: ConnectionID, _ snapshot: () throws(LecternError) -> EncodedPage) {
        guard let subscription = streams[id]?.subscription else { return }
        do throws(LecternError) {
            let (head, page) = try read { () throws(LecternError) in (try self.reads.head(), try snapshot()) }
            // A list of several pages is not all told by its first one.
            guard page.next == nil else { return replay(id) }
            models.skip(subscription, to: head, EventFrame.snapshot(page.body, at: EventID(epoch: epoch, seq: head)))
        } catch {
            service.log.error("A list could not be read anew: \(error)")
            close(id)
        }
    }

    /// Gives a subscription the next page of the log, and comes back for more after others have had their turn.
    private func replay(_ id: ConnectionID) {
        guard let subscription = streams[id]?.subscription else { return }
        do {
            let page = try reads.changes(
                after: subscription.cursor, seenBy: subscription.viewer.readerKey, limit: Self.replayPageMax)
            if models.replay(subscription, page.changes, through: page.through, isEnd: page.isEnd) {
                loop.execute { self.replay(id) }
            } else if subscription.isCancelled {
                close(id)
            }
        } catch {
            service.log.error("A replay failed: \(error)")
            close(id)
        }
    }

    func streamIdle(_ id: ConnectionID) {
        guard let stream = streams[id], stream.subscription.state == .live else { return }
        _ = loop.send(models.heartbeat(for: stream.subscription), to: id)
    }

    func connectionClosed(_ id: ConnectionID) {
        forget(id)
        waiters[id] = nil
    }

    /// Gives frames to the socket of a subscription.
    func deliver(_ subscription: Subscription, _ frames: [[UInt8]]) -> ObservableModels.Delivery {
        guard let id = connections[subscription.owner] else { return .gone }
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

    private func forget(_ id: ConnectionID) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        connections[stream.subscription.owner] = nil
        models.cancel(stream.subscription)
    }

    func tick(now: Int64) {
        let wall = Instant.now
        for (id, stream) in streams where stream.expiresAt.map({ $0 <= wall }) ?? false { close(id) }
        for (id, waiter) in waiters where waiter.deadline <= now { answer(waiter, id) }
        noteLevels()
    }

    func draining() {
        for id in Array(streams.keys) { close(id) }
        for (id, waiter) in waiters { answer(waiter, id) }
    }
}
