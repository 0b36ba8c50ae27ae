import HTTPServer
import Model
import ObservableModels
import Store

/// A long poll: a request that waits for changes. It ends with the first events of a subscription to them.
final class LongPoll {
    let limit: Int
    /// The maximum time to wait, in seconds.
    let seconds: Int
    /// The deadline, in monotonic milliseconds.
    let deadline: Int64

    init(limit: Int, seconds: Int, deadline: Int64) {
        (self.limit, self.seconds, self.deadline) = (limit, seconds, deadline)
    }
}

extension OpenStreams {
    /// The maximum value of `Prefer: wait`, in seconds.
    static let waitSecondsMax = 60

    /// Responds to a request for changes with the existing ones, or waits for new ones.
    func changes(
        after given: String, limit: Int, _ viewer: Viewer, _ request: borrowing Request,
        _ response: inout ResponseWriter
    ) throws(RequestError) -> HandlerResult {
        let isOver = loop.isDraining || loop.isClientDone(request.connection)
        let seconds = isOver ? 0 : PreferField.wait(request, max: Self.waitSecondsMax) ?? 0
        let (page, topics) = try pipeline.reads.read { () throws(RequestError) -> (ChangeFeedPage, [WatchTopic]) in
            let page = try pipeline.changes(after: given, viewer, limit)
            // The topics are read in the same snapshot, so that no later change is missed.
            let waits = seconds > 0 && page.items.isEmpty && page.isEnd
            return (page, waits ? try pipeline.topics(of: .feed(of: viewer), viewer) : [])
        }
        guard !topics.isEmpty else {
            page.write(limit: limit, waited: seconds, to: &response)
            return .answered
        }
        // The viewer has received all changes up to here.
        let (seq, connection) = (page.next.seq, request.connection)
        let feed = SubscribedURL(
            topics: topics, inEachGroup: WatchPlan.feedTopics, fields: nil, filter: nil, since: seq)
        let subscription = Subscription(owner: connection.rawValue, viewer: viewer, [feed], cursor: seq)
        try service.watches.enter(connection, viewer, self)
        // Deadlines are checked once a second, and the client does not wait longer than it says.
        let poll = LongPoll(limit: limit, seconds: seconds, deadline: loop.now + Int64(seconds - 1) * 1000)
        opened[connection] = OpenStream(subscription, poll: poll)
        models.subscribe(subscription)
        // The log was read to its end, which is not before the models' `head`. So the subscription is live and has
        // nothing to read.
        _ = models.wake(subscription)
        response.trace.hasWaited = true
        return .deferred
    }

    /// Responds to a long poll with the changes in the log, possibly none, or with the error that prevents it. Closes a
    /// stream, which its client can open again.
    func finish(_ id: ConnectionID) {
        guard let stream = opened[id], let poll = stream.poll else { return close(id) }
        let cursor = EventID(epoch: pipeline.epoch, seq: stream.subscription.state.cursor).description
        forget(id)
        loop.answer(id) { response in
            do throws(RequestError) {
                let page = try pipeline.reads.read { () throws(RequestError) in
                    try pipeline.changes(after: cursor, stream.subscription.viewer, poll.limit)
                }
                page.write(limit: poll.limit, waited: poll.seconds, to: &response)
            } catch {
                pipeline.refuse(error, &response)
            }
        }
    }
}
