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
        guard let stream = streams[id] else { return }
        let fellBehind = stream.subscription.state == .parked && stream.subscription.fellBehind
        guard models.wake(stream.subscription) else { return }
        replay(id, renewing: stream.renews && fellBehind)
    }

    /// A subscription goes on from the log, after others have had their turn.
    func resume(_ subscription: Subscription) {
        guard let id = connections[subscription.owner] else { return }
        loop.execute { [self] in
            if let waiter = waiters[id] { answer(waiter, id) } else { streamWritable(id) }
        }
    }

    /// What a stream that is behind goes on with.
    private enum Step {
        case page(ObservableModels.Page, through: Int64)
        /// What there is now, as of a change.
        case anew([[UInt8]], Int64)
    }

    /// Gives a subscription the next page of the log, and comes back for more after others have had their turn.
    private func replay(_ id: ConnectionID, renewing: Bool = false) {
        guard let stream = streams[id], stream.subscription.state == .replaying else { return }
        do throws(LecternError) {
            let step = try read { () throws(LecternError) in try next(for: stream, renewing: renewing) }
            stream.failures = 0
            switch step {
            case .anew(let frames, let head): models.skip(stream.subscription, to: head, frames)
            case .page(let page, let through):
                if models.replay(stream.subscription, page, through: through) {
                    loop.execute { self.replay(id) }
                }
            }
            if stream.subscription.isCancelled { close(id) }
        } catch {
            put(off: stream, id, error)
        }
    }

    /// In one snapshot: whether all that follows the cursor is there to be told, and the next of it. It goes no further than
    /// the models have heard, because what the subscription listens to goes no further.
    private func next(for stream: Stream, renewing: Bool) throws(LecternError) -> Step {
        let subscription = stream.subscription
        let gap = try gap(after: subscription.cursor, in: subscription.club, of: subscription.viewer)
        if let gap {
            let head = try reads.head()
            return .anew(try restart(stream.snapshot, gap, at: head), head)
        }
        if renewing {
            let page = try stream.snapshot()
            // A list of several pages is not all told by its first one.
            if page.next == nil {
                let head = try reads.head()
                return .anew([EventFrame.snapshot(page.body, at: EventID(epoch: epoch, seq: head))], head)
            }
        }
        let page = try reads.changes(
            after: subscription.cursor, parts: subscription.parts, through: models.head,
            seenBy: subscription.viewer.readerKey, limit: Self.replayPageMax)
        return .page(try models.page(page.changes, for: subscription), through: page.through)
    }

    /// What cannot be read now is tried again; a stream that shows what is not there any more ends.
    private func put(off stream: Stream, _ id: ConnectionID, _ error: LecternError) {
        guard error != .notFound else { return close(id) }
        stream.failures += 1
        service.log.error("A replay failed: \(error)")
        if stream.failures < Self.replayTriesMax { stalled.insert(id) } else { close(id) }
    }

    /// Tries again what could not be read.
    func retryStalled() {
        let waiting = stalled
        stalled.removeAll()
        for id in waiting { replay(id) }
    }
}
