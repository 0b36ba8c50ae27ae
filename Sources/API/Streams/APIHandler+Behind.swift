import HTTPServer
import Model
import ObservableModels
import Store

/// From the log to streams that are behind.
extension APIHandler {
    /// Changes that a page of a replay holds at most; between two pages other connections have their turn.
    static let replayPageMax = 256

    /// How often in a row a stream tries, about a second apart, to read what it goes on with; then it ends, and its client
    /// comes back to where it was.
    static let replayTriesMax = 5

    func streamWritable(_ id: ConnectionID) {
        guard let stream = streams[id], models.wake(stream.subscription) else { return }
        readOn(id)
    }

    /// A subscription gets what it has missed, after others have had their turn.
    func goOn(_ subscription: Subscription) {
        guard let id = connections[subscription.owner] else { return }
        loop.execute { [self] in
            if let waiter = waiters[id] { answer(waiter, id) } else { streamWritable(id) }
        }
    }

    /// Gives a stream that is behind the next page of the log, or what there is now.
    private func readOn(_ id: ConnectionID) {
        guard let stream = streams[id], stream.subscription.state.phase == .replaying else { return }
        do throws(LecternError) {
            let page = try read { () throws(LecternError) in try next(for: stream) }
            stream.failures = 0
            perform(models.turn(page, for: stream.subscription))
        } catch {
            put(off: stream, id, error)
        }
    }

    /// In one snapshot: whether all that follows the cursor is there to be told, and the next of it. It goes no further than
    /// the models have heard, because what the subscription listens to goes no further.
    private func next(for stream: Stream) throws(LecternError) -> ObservableModels.Page {
        let subscription = stream.subscription
        let cursor = subscription.state.cursor
        if let gap = try gap(after: cursor, in: subscription.club, of: subscription.viewer) {
            let head = try reads.head()
            return .anew(try restart(stream.snapshot, gap, at: head), at: head)
        }
        if subscription.form == .view { return try view(stream) }
        if stream.watch.renews, subscription.state.fellBehind {
            let page = try stream.snapshot()
            // A list of several pages is not all told by its first one.
            if page.next == nil {
                let head = try reads.head()
                return .anew([EventFrame.snapshot(page.body, at: EventID(epoch: epoch, seq: head))], at: head)
            }
        }
        let page = try reads.changes(
            after: cursor, parts: subscription.state.parts, through: models.head,
            seenBy: subscription.viewer.readerKey, limit: Self.replayPageMax)
        let answers = models.needs(of: page.changes, for: subscription).map(reads.answer)
        return try models.page(page.changes, answers, through: page.through, for: subscription)
    }

    /// What there is now of a view: nothing to send when it is what was sent last, or when nothing of it has changed since
    /// the cursor that its client came with.
    private func view(_ stream: Stream) throws(LecternError) -> ObservableModels.Page {
        let head = try reads.head()
        if stream.shown == nil, try !mayHaveChanged(stream) { return .anew([], at: head) }
        let body = try stream.snapshot().body
        let digest = ETag.bytes(hashing: body)
        guard digest != stream.shown else { return .anew([], at: head) }
        stream.shown = digest
        return .anew([EventFrame.snapshot(body, at: EventID(epoch: epoch, seq: head))], at: head)
    }

    private func mayHaveChanged(_ stream: Stream) throws(LecternError) -> Bool {
        guard stream.watch.isTold else { return true }
        let subscription = stream.subscription
        let page = try reads.changes(
            after: subscription.state.cursor, seenBy: subscription.viewer.readerKey, limit: Self.replayPageMax)
        return !page.isEnd || page.changes.contains { change in subscription.topics.contains { $0.has(change) } }
    }

    /// What cannot be read now is tried again; a stream that shows what is not there any more, or not to its viewer, ends.
    private func put(off stream: Stream, _ id: ConnectionID, _ error: LecternError) {
        switch error {
        case .notFound, .refused: return close(id)
        default: break
        }
        stream.failures += 1
        service.log.error("A replay failed: \(error)")
        if stream.failures < Self.replayTriesMax { stalled.insert(id) } else { close(id) }
    }

    /// Tries again what could not be read.
    func retryStalled() {
        let waiting = stalled
        stalled.removeAll()
        for id in waiting { readOn(id) }
    }
}
