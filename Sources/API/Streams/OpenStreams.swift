import Bytes
import HTTPServer
import Model
import ObservableModels
import Store

/// The open streams and long polls of one event loop. It performs the models' effects: it sends frames, ends
/// streams, and reads the log for streams that are behind. Confined to the loop's thread, like the `ObservableModels`
/// that it uses.
final class OpenStreams: @unchecked Sendable {
    let pipeline: RequestPipeline
    let loop: EventLoop
    var opened: [ConnectionID: OpenStream] = [:]
    /// The connections of named streams.
    var named: [ResourceID: ConnectionID] = [:]

    /// The quarter of an hour, counted from 1970, in which views that depend on the day were last requested.
    private var quarter: Int64 = 0

    init(_ pipeline: RequestPipeline, _ loop: EventLoop) { (self.pipeline, self.loop) = (pipeline, loop) }

    var models: ObservableModels { pipeline.models }
    var service: SharedServiceState { pipeline.service }

    /// Opens a stream. Its first frames are part of the response. The rest follows as soon as the socket takes bytes.
    func open(
        _ stream: OpenStream, _ request: borrowing Request, _ response: inout ResponseWriter
    ) throws(RequestError) {
        let subscription = stream.subscription
        let isHead = request.method == .head
        let page: ReplayPage
        models.subscribe(subscription)
        do throws(RequestError) {
            page = try pipeline.begin(stream)
            if !isHead {
                try service.watches.enter(
                    request.connection, subscription.viewer, self, comesBack: stream.comesBack,
                    replacing: stream.streamID)
            }
        } catch {
            models.cancel(subscription)
            throw error
        }
        response.field("Cache-Control", "no-store")
        response.field("X-Accel-Buffering", "no")
        if isHead {
            models.cancel(subscription)
            return response.stream([], type: "text/event-stream")
        }
        let frames = models.open(subscription, with: page)
        let retry = EventFrame.retry(milliseconds: .random(in: 1000...4000))
        response.stream(retry + frames.joined(), type: "text/event-stream")
        opened[request.connection] = stream
        if let kept = stream.streamID {
            // This closes the stream's former connection.
            service.leases.enter(kept, request.connection, self)
            named[kept] = request.connection
            loop.setIdle(request.connection, seconds: Int(stream.heartbeat))
        }
        announceIfBegun(request.connection)
    }

    /// Applies a commit, and delivers it to the subscriptions.
    func receive(_ commit: Commit) {
        // A long poll of a revoked token is refused, but a stream first receives the commit.
        endRevoked(by: commit, pollsOnly: true)
        // Lifting a suspension also ends streams, but then the reader has none.
        for change in commit.changes where change.kind == .reader {
            for (id, stream) in opened where change.changesSuspension(of: stream.subscription.viewer) {
                end(id, reason: "readerSuspended", .readerSuspended)
            }
        }
        for change in commit.streamChanges { receive(change) }
        for effect in models.publish(commit) { perform(effect) }
        endRevoked(by: commit, pollsOnly: false)
        announce(after: commit)
    }

    /// Ends the streams, or only the long polls, of the tokens that a commit revokes.
    private func endRevoked(by commit: Commit, pollsOnly: Bool) {
        for change in commit.changes where change.endsStreams {
            for (id, stream) in opened where change.endsStreams(of: stream.subscription.viewer) {
                if stream.poll != nil || !pollsOnly { end(id, reason: "tokenRevoked", .tokenRevoked) }
            }
        }
    }

    /// Performs an effect of a commit or of a page of the log.
    func perform(_ effect: DeliveryEffect) {
        switch effect {
        case .send(let subscription, let frames, let through):
            guard !subscription.hasEnded else { return }
            switch models.delivered(subscription, through: through, deliver(frames, to: subscription)) {
            case .none: if subscription.isStale, subscription.state.phase == .live { renew(subscription) }
            case .readLog: continueWork(subscription)
            case .end: close(subscription.connection)
            }
        case .renew(let subscription): renew(subscription)
        }
    }

    /// Sends frames to the socket of a subscription, or responds to its long poll.
    private func deliver(_ frames: [[UInt8]], to subscription: Subscription) -> SubscriptionState.Delivery {
        if frames.isEmpty { return .taken }
        let id = subscription.connection
        switch loop.send(frames, to: id) {
        case .sent: return .taken
        case .kept: return .kept
        case .gone:
            // The connection of a long poll is no stream.
            if opened[id]?.poll != nil { finish(id) }
            return .gone
        }
    }

    func sendHeartbeat(_ id: ConnectionID) {
        guard let subscription = opened[id]?.subscription, subscription.state.phase == .live else { return }
        // The loop closes a connection that is gone.
        _ = loop.send(models.heartbeat(for: subscription), to: id)
    }

    /// Ends a stream after the frames that were sent.
    func close(_ id: ConnectionID) {
        forget(id)
        loop.end(id)
    }

    /// Ends a stream or long poll to allow another one of the same reader.
    func endForNewStream(_ id: ConnectionID) {
        if opened[id] != nil { finish(id) }
    }

    /// Removes the stream or long poll of a connection.
    func forget(_ id: ConnectionID) {
        guard let stream = opened.removeValue(forKey: id) else { return }
        let subscription = stream.subscription
        if stream.isAnnounced { service.presence.leave(subscription.owner) }
        service.watches.leave(id, subscription.viewer)
        if let kept = stream.streamID {
            if named[kept] == id { named[kept] = nil }
            service.leases.leave(kept, id)
        }
        models.cancel(subscription)
    }

    func tick(now: Int64) {
        let wall = Instant.now
        for (id, stream) in opened {
            if let expiry = stream.subscription.viewer.endsAt, expiry <= wall {
                end(id, reason: "tokenExpired", .refused(.tokenExpired, "The token expired at \(expiry)."))
            } else if let poll = stream.poll, poll.deadline <= now {
                finish(id)
            }
        }
        tickPresence(now: now)
        tickDays()
        if loop.index == 0 { endLeases() }
    }

    /// Requests new views that depend on the current day, every quarter of an hour: a day can begin in some time zone
    /// then. A view that stays the same is not sent.
    private func tickDays() {
        let now = pipeline.clock().milliseconds.floorDivided(by: 900_000)
        guard now != quarter else { return }
        quarter = now
        renew(.day)
    }

    /// Deletes streams whose lease is over, up to 100 at a time.
    private func endLeases() {
        let over = service.leases.over().prefix(100)
        guard !over.isEmpty else { return }
        // If the writer's queue is full, the expired leases are found again in a second.
        service.store.submitInBackground(.endStreams(Array(over)))
    }

    func drain() {
        for id in Array(opened.keys) { finish(id) }
    }
}

extension RequestError {
    /// The refusal of what waits for a response when its token is revoked.
    static let tokenRevoked = refused(
        .tokenUnknown, "The token was revoked. Sign in again, or use another token.")
}

extension Subscription {
    /// The connection that receives the events.
    var connection: ConnectionID { ConnectionID(rawValue: owner) }
}

extension RequestPipeline {
    /// Returns a stream of one URL that is yet to begin.
    func stream(of url: String, after cursor: String?, _ viewer: Viewer, on connection: ConnectionID) -> OpenStream {
        let stream = OpenStream(
            Subscription(owner: connection.rawValue, viewer: viewer, [], cursor: 0), after: cursor)
        stream.beginning = StreamBeginning([PendingWatchedURL(url, after: cursor)])
        return stream
    }
}
