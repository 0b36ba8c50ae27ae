import HTTPServer
import Model
import ObservableModels
import Store

/// The open streams and waiting polls of one event loop. It does what the models say: sends, ends, and reads on for who is behind.
/// Confined to the loop's thread, like the desk that it shares.
final class Streams: @unchecked Sendable {
    let desk: Desk
    let loop: EventLoop
    var opened: [ConnectionID: OpenStream] = [:]
    var waiters: [ConnectionID: Waiter] = [:]
    /// Where each subscription's frames go.
    var connections: [UInt64: ConnectionID] = [:]
    /// The connections of streams that are kept.
    var named: [ResourceID: ConnectionID] = [:]
    /// Streams that go on once what they go on with can be read.
    var stalled: Set<ConnectionID> = []

    /// When it was asked last for whom another day has begun.
    var dayAskedAt = Instant.now
    /// Streams that are a sign that their readers are there, each with the number of its subscription.
    var signs: [ConnectionID: UInt64] = [:]

    init(_ desk: Desk, _ loop: EventLoop) { (self.desk, self.loop) = (desk, loop) }

    var models: ObservableModels { desk.models }
    var service: ServiceState { desk.service }

    /// Opens a stream of one URL, and answers with how it begins.
    func open(
        _ watched: Watched, _ query: Query, _ viewer: Viewer, _ request: borrowing Request,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let stream = desk.stream(
            of: watched, after: try desk.cursor(query, request), viewer, owner: service.owners.next())
        return try open(stream, request, &response)
    }

    /// Opens a stream: the first of what it is sent is part of the answer, and the rest follows as soon as its socket takes bytes.
    func open(
        _ stream: OpenStream, _ request: borrowing Request, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let subscription = stream.subscription
        let isHead = request.method == .head
        var frames: [[UInt8]] = []
        models.subscribe(subscription)
        do throws(LecternError) {
            frames = models.open(subscription, with: try desk.begin(stream))
            if !isHead {
                let comesBack = request.field("last-event-id") != nil
                try service.watches.enter(subscription.owner, subscription.viewer, self, comesBack: comesBack)
            }
        } catch {
            models.cancel(subscription)
            throw error
        }
        response.field("Cache-Control", "no-store")
        response.field("X-Accel-Buffering", "no")
        if isHead {
            models.cancel(subscription)
            response.stream([], type: "text/event-stream")
            return .answered
        }
        let retry = EventFrame.retry(milliseconds: .random(in: 1000...4000))
        response.stream(retry + frames.joined(), type: "text/event-stream")
        opened[request.connection] = stream
        connections[subscription.owner] = request.connection
        if let kept = stream.kept { service.leases.enter(kept, subscription.owner, self) }
        announceIfBegun(request.connection)
        return .stream
    }

    /// Takes in a commit: whoever listens hears of it.
    func hear(_ commit: Commit) {
        for change in commit.changes where change.kind == .token && change.operation == .deleted {
            refuseWaiters(of: change.id)
        }
        // Nobody has a stream whose suspension is lifted.
        for change in commit.changes
        where change.kind == .reader && !change.changed.isDisjoint(with: Reader.fieldsOfSuspension) {
            end(reader: change.scope.number)
        }
        for notice in commit.notices { hear(notice) }
        for effect in models.publish(commit, desk.answers(to: models.needs(of: commit))) { perform(effect) }
        announce(after: commit)
    }

    /// Does what follows from a commit, or from a page of the log.
    func perform(_ effect: Effect) {
        switch effect {
        case .end(let subscription): end(subscription)
        case .send(let subscription, let frames, let through):
            guard !subscription.hasEnded else { return }
            switch models.delivered(subscription, through: through, deliver(frames, to: subscription, through)) {
            case .none: if subscription.isStale, subscription.state.phase == .live { renew(subscription) }
            case .readLog, .goOn: goOn(subscription)
            case .end: end(subscription)
            }
        case .renew(let subscription): renew(subscription)
        }
    }

    /// Gives frames to the socket of a subscription, or answers the poll that waits for them.
    private func deliver(
        _ frames: [[UInt8]], to subscription: Subscription, _ through: Int64
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

    func sendHeartbeat(_ id: ConnectionID) {
        guard let subscription = opened[id]?.subscription, subscription.state.phase == .live else { return }
        // A connection that is gone is closed by its loop.
        _ = loop.send(models.heartbeat(for: subscription), to: id)
    }

    /// A subscription has lost its right, or what it shows: its stream ends.
    private func end(_ subscription: Subscription) {
        if let id = connections[subscription.owner] { end(id, reason: "tokenRevoked") }
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
        let stream = opened.removeValue(forKey: id)
        let waiter = waiters.removeValue(forKey: id)
        guard let subscription = stream?.subscription ?? waiter?.subscription else { return }
        stalled.remove(id)
        if signs.removeValue(forKey: id) != nil { service.presence.leave(subscription.owner) }
        connections[subscription.owner] = nil
        service.watches.leave(subscription.owner, subscription.viewer)
        if let kept = stream?.kept {
            if named[kept] == id { named[kept] = nil }
            service.leases.leave(kept, subscription.owner)
        }
        models.cancel(subscription)
    }

    func tick(now: Int64) {
        let wall = Instant.now
        for (id, stream) in opened where stream.subscription.viewer.endsAt.map({ $0 <= wall }) ?? false {
            end(id, reason: "tokenExpired")
        }
        tickPresence(now: now)
        tickDays()
        tickWaiters(now: now, wall)
        retryStalled()
        if loop.index == 0 { endLeases() }
    }

    /// Takes streams away that nobody came back to.
    private func endLeases() {
        let over = service.leases.over().prefix(100)
        guard !over.isEmpty else { return }
        // If the writer's queue is full, the expired leases are found again in a second.
        _ = service.store.submit(
            Submission(command: .endStreams(Array(over)), asker: .house(at: .now)) { _ in })
    }

    func drain() {
        for id in Array(opened.keys) { close(id) }
        for (id, waiter) in waiters { answer(waiter, id, with: [], through: models.head) }
    }
}

extension Desk {
    /// A stream of one URL that is yet to begin.
    func stream(of watched: Watched, after cursor: String?, _ viewer: Viewer, owner: UInt64) -> OpenStream {
        let stream = OpenStream(Subscription(owner: owner, viewer: viewer, [], cursor: 0))
        stream.beginning = StreamBeginning([PendingURL(watched, after: cursor)])
        return stream
    }
}
