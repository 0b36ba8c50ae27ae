import HTTPServer
import Model
import ObservableModels
import Store

/// A long poll: a request that waits as a subscription, which ends with the first that it hears.
struct Waiter {
    let subscription: Subscription
    let limit: Int
    /// How long it may wait.
    let seconds: Int
    /// In monotonic milliseconds.
    let deadline: Int64
}

extension Streams {
    /// The longest that `Prefer: wait` may ask for.
    static let waitSecondsMax = 60

    /// Answers what asks for changes: with those that there are, or with those that come.
    func changes(
        after said: String, limit: Int, _ viewer: Viewer, _ request: borrowing Request,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let seconds = loop.isDraining ? 0 : Prefer.wait(request, max: Self.waitSecondsMax) ?? 0
        let (page, topics) = try desk.reads.read { () throws(LecternError) -> (FeedPage, [Topic]) in
            let page = try desk.changes(after: said, viewer, limit)
            // In the snapshot that had nothing: what comes after it is heard.
            let waits = seconds > 0 && page.items.isEmpty && page.isEnd
            return (page, waits ? try desk.topics(of: .feed(of: viewer), viewer) : [])
        }
        guard topics.isEmpty else {
            try wait(seconds, viewer, topics, after: page.next.seq, limit: limit, on: request.connection)
            response.trace.hasWaited = true
            return .deferred
        }
        page.write(limit: limit, waited: seconds, to: &response)
        return .answered
    }

    /// Lets a request wait for what comes after a change up to which its viewer has been told everything.
    private func wait(
        _ seconds: Int, _ viewer: Viewer, _ topics: [Topic], after seq: Int64, limit: Int, on connection: ConnectionID
    ) throws(LecternError) {
        let subscription = Subscription(
            owner: service.owners.next(), viewer: viewer, style: .unmarked, topics: topics, inEachClub: Topic.feeds,
            fields: nil,
            filter: nil, cursor: seq)
        try service.watches.enter(subscription.owner, viewer, self, comesBack: false)
        waiters[connection] = Waiter(
            subscription: subscription, limit: limit, seconds: seconds, deadline: loop.now + Int64(seconds) * 1000)
        connections[subscription.owner] = connection
        models.subscribe(subscription)
        // The log was read to its end, which is no earlier than what the models have heard: it is live, and has nothing to read.
        _ = models.wake(subscription)
    }

    /// Answers a long poll with the events that it has heard, or with none.
    func answer(_ waiter: Waiter, _ id: ConnectionID, with frames: [[UInt8]], through seq: Int64) {
        guard frames.count <= waiter.limit else { return answerFromLog(waiter, id) }
        let seq = max(seq, waiter.subscription.state.cursor)
        answer(waiter, id) { () throws(LecternError) in
            try self.desk.feedPage(frames.map { Array(EventFrame.data(of: $0)) }, through: seq)
        }
    }

    /// Answers a long poll with what the log has for it.
    func answerFromLog(_ waiter: Waiter, _ id: ConnectionID) {
        let subscription = waiter.subscription
        let cursor = EventID(epoch: desk.epoch, seq: subscription.state.cursor).description
        answer(waiter, id) { [desk] () throws(LecternError) in
            try desk.reads.read { () throws(LecternError) in
                try desk.changes(after: cursor, subscription.viewer, waiter.limit)
            }
        }
    }

    /// Answers a long poll with a page, or with why there is none.
    private func answer(_ waiter: Waiter, _ id: ConnectionID, with page: () throws(LecternError) -> FeedPage) {
        forget(id)
        loop.answer(id) { response in
            do throws(LecternError) {
                try page().write(limit: waiter.limit, waited: waiter.seconds, to: &response)
            } catch {
                desk.refuse(error, &response)
            }
        }
    }

    /// Answers the long polls of a token that has just been revoked.
    func refuseWaiters(of token: ResourceID) {
        for (id, waiter) in waiters where waiter.subscription.viewer.token == token {
            refuse(id, .refused(.tokenUnknown, "The token was revoked."))
        }
    }

    /// Ends the streams and the long polls of a reader who may not come in any more.
    func end(reader: Int64) {
        for (id, stream) in opened where stream.subscription.viewer.readerKey == reader {
            end(id, reason: "readerSuspended")
        }
        for (id, waiter) in waiters where waiter.subscription.viewer.readerKey == reader {
            refuse(id, .readerSuspended)
        }
    }

    /// Answers the long polls whose time, or whose token's, is over.
    func tickWaiters(now: Int64, _ wall: Instant) {
        for (id, waiter) in waiters {
            if let expiry = waiter.subscription.viewer.endsAt, expiry <= wall {
                refuse(id, .refused(.tokenExpired, "The token expired at \(expiry)."))
            } else if waiter.deadline <= now {
                answer(waiter, id, with: [], through: models.head)
            }
        }
    }

    private func refuse(_ id: ConnectionID, _ error: LecternError) {
        forget(id)
        loop.answer(id) { desk.refuse(error, &$0) }
    }
}
