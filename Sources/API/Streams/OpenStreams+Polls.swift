import HTTPServer
import Model
import ObservableModels
import Store

/// A long poll: a request that waits for changes by a subscription. It ends with the subscription's first events.
struct LongPoll {
    let subscription: Subscription
    let limit: Int
    /// The maximum time to wait, in seconds.
    let seconds: Int
    /// The deadline, in monotonic milliseconds.
    let deadline: Int64
}

extension OpenStreams {
    /// The maximum value of `Prefer: wait`, in seconds.
    static let waitSecondsMax = 60

    /// Responds to a request for changes with the existing ones, or waits for new ones.
    func changes(
        after given: String, limit: Int, _ viewer: Viewer, _ request: borrowing Request,
        _ response: inout ResponseWriter
    ) throws(RequestError) -> HandlerResult {
        let seconds = loop.isDraining ? 0 : PreferField.wait(request, max: Self.waitSecondsMax) ?? 0
        let (page, topics) = try pipeline.reads.read { () throws(RequestError) -> (ChangeFeedPage, [WatchTopic]) in
            let page = try pipeline.changes(after: given, viewer, limit)
            // The topics are read in the same snapshot, so that no later change is missed.
            let waits = seconds > 0 && page.items.isEmpty && page.isEnd
            return (page, waits ? try pipeline.topics(of: .feed(of: viewer), viewer) : [])
        }
        guard topics.isEmpty else {
            try wait(seconds, viewer, topics, after: page.next.seq, limit: limit, on: request.connection)
            response.trace.hasWaited = true
            return .deferred
        }
        page.write(limit: limit, waited: seconds, to: &response)
        return .answered
    }

    /// Makes a request wait for the next changes. Its viewer has received all changes up to `seq`.
    private func wait(
        _ seconds: Int, _ viewer: Viewer, _ topics: [WatchTopic], after seq: Int64, limit: Int,
        on connection: ConnectionID
    ) throws(RequestError) {
        let feed = SubscribedURL(
            topics: topics, inEachGroup: WatchPlan.feedTopics, fields: nil, filter: nil, since: seq)
        let subscription = Subscription(owner: service.nextSubscription(), viewer: viewer, [feed], cursor: seq)
        try service.watches.enter(subscription.owner, viewer, self, comesBack: false)
        // Deadlines are checked once a second, and the client does not wait longer than it says.
        waiters[connection] = LongPoll(
            subscription: subscription, limit: limit, seconds: seconds, deadline: loop.now + Int64(seconds - 1) * 1000)
        connections[subscription.owner] = connection
        models.subscribe(subscription)
        // The log was read to its end, which is not before the models' `head`. So the subscription is live and has
        // nothing to read.
        _ = models.wake(subscription)
    }

    /// Responds to a long poll with the changes in the log, possibly none, or with the error that prevents it.
    func answer(_ waiter: LongPoll, _ id: ConnectionID) {
        let subscription = waiter.subscription
        let cursor = EventID(epoch: pipeline.epoch, seq: subscription.state.cursor).description
        forget(id)
        loop.answer(id) { response in
            do throws(RequestError) {
                let page = try pipeline.reads.read { () throws(RequestError) in
                    try pipeline.changes(after: cursor, subscription.viewer, waiter.limit)
                }
                page.write(limit: waiter.limit, waited: waiter.seconds, to: &response)
            } catch {
                pipeline.refuse(error, &response)
            }
        }
    }

    /// Refuses the long polls of a revoked token.
    func refuseWaiters(of token: ResourceID) {
        for (id, waiter) in waiters where waiter.subscription.viewer.token == token {
            refuse(id, .refused(.tokenUnknown, "The token was revoked. Sign in again, or use another token."))
        }
    }

    /// Ends the streams and long polls of a suspended reader.
    func end(reader: Int64) {
        for (id, stream) in opened where stream.subscription.viewer.readerKey == reader {
            end(id, reason: "readerSuspended")
        }
        for (id, waiter) in waiters where waiter.subscription.viewer.readerKey == reader {
            refuse(id, .readerSuspended)
        }
    }

    /// Responds to long polls whose deadline has passed or whose token has expired.
    func tickWaiters(now: Int64, _ wall: Instant) {
        for (id, waiter) in waiters {
            if let expiry = waiter.subscription.viewer.endsAt, expiry <= wall {
                refuse(id, .refused(.tokenExpired, "The token expired at \(expiry)."))
            } else if waiter.deadline <= now {
                answer(waiter, id)
            }
        }
    }

    private func refuse(_ id: ConnectionID, _ error: RequestError) {
        forget(id)
        loop.answer(id) { pipeline.refuse(error, &$0) }
    }
}
