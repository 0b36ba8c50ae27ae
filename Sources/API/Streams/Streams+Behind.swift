import HTTPServer
import Model
import ObservableModels
import Store

/// Streams that are behind.
extension Streams {
    /// How often in a row a stream tries, about a second apart, to read what it goes on with; then it ends, and its client
    /// comes back to where it was.
    static let replayTriesMax = 5

    /// The socket takes bytes.
    func wake(_ id: ConnectionID) {
        guard let stream = opened[id] else { return }
        let subscription = stream.subscription
        if models.wake(subscription, isHeld: stream.isHeld) {
            return desk.work(for: subscription.viewer) { readOn(id) }
        }
        // What no change of the log tells may be another all the same.
        if subscription.isStale, subscription.state.phase == .live { renew(subscription) }
    }

    /// A subscription gets what it has missed, in its reader's turn.
    func goOn(_ subscription: Subscription) {
        guard let id = connections[subscription.owner] else { return }
        loop.schedule(id) { [self] in
            guard let waiter = waiters[id] else { return wake(id) }
            desk.work(for: subscription.viewer) { answerFromLog(waiter, id) }
        }
    }

    /// Gives a stream that is behind the next page of the log, or what there is now.
    private func readOn(_ id: ConnectionID) {
        guard let stream = opened[id], stream.subscription.state.phase == .replaying else { return }
        do throws(LecternError) {
            let page = try desk.next(for: stream)
            stream.failures = 0
            perform(models.turn(page, for: stream.subscription))
            announceIfBegun(id)
        } catch {
            put(off: stream, id, error)
        }
    }

    /// What cannot be read now is tried again; a stream that shows what is not there any more, or not to its viewer, ends.
    func put(off stream: OpenStream, _ id: ConnectionID, _ error: LecternError) {
        switch error {
        case .notFound, .refused: return close(id)
        default: break
        }
        stream.failures += 1
        // A reader can cause these, so they are no errors of the server.
        if case .unavailable(_, let detail, _) = error {
            service.log.warning("A stream is replayed again in a second: \(detail)")
        } else {
            service.log.error("A replay failed: \(error)")
        }
        if stream.failures < Self.replayTriesMax { stalled.insert(id) } else { close(id) }
    }

    /// Tries again what could not be read.
    func retryStalled() {
        let waiting = stalled
        stalled.removeAll()
        for id in waiting {
            readOn(id)
            if let subscription = opened[id]?.subscription, subscription.state.phase == .live { renew(subscription) }
        }
    }
}
