import HTTPServer
import Model
import ObservableModels
import Store

/// Streams that are behind.
extension OpenStreams {
    /// Resumes a stream whose socket takes bytes.
    func wake(_ id: ConnectionID) {
        guard let stream = opened[id] else { return }
        let subscription = stream.subscription
        if models.wake(subscription, hasPendingWork: stream.hasPendingWork) {
            return pipeline.work(for: subscription.viewer) { readOn(id) }
        }
        // Views may depend on more than the changes in the log.
        if subscription.isStale, subscription.state.phase == .live { renew(subscription) }
    }

    /// Schedules a subscription's next read of the log, in its reader's turn on the event loop.
    func continueWork(_ subscription: Subscription) {
        let id = subscription.connection
        guard opened[id] != nil else { return }
        loop.schedule(id) { [self] in
            guard opened[id]?.poll != nil else { return wake(id) }
            pipeline.work(for: subscription.viewer) { finish(id) }
        }
    }

    /// Sends the next page of the log, or new snapshots, to a stream that is behind.
    private func readOn(_ id: ConnectionID) {
        guard let stream = opened[id], stream.subscription.state.phase == .replaying else { return }
        do throws(RequestError) {
            let page = try pipeline.next(for: stream)
            perform(models.sending(page, for: stream.subscription))
            announceIfBegun(id)
        } catch {
            closeUnreadable(id, error)
        }
    }

    /// Ends a stream that cannot be read: its resource is gone or hidden from the viewer, or the read failed. The client
    /// reconnects with its cursor, or is refused.
    func closeUnreadable(_ id: ConnectionID, _ error: RequestError) {
        switch error {
        case .notFound, .refused: break
        // A reader can cause these, so they are no errors of the server.
        case .unavailable(_, let detail, _): service.log.warning("a stream ended because a read failed: \(detail)")
        default: service.log.error("a stream ended because a read failed: \(error)")
        }
        close(id)
    }
}
