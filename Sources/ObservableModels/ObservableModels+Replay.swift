package import Model

/// From the log to a subscription that is behind, and to one that is quiet.
extension ObservableModels {
    /// What a page of the log has for a subscription. It has been given nothing of it yet.
    package struct Page {
        var frames: [[UInt8]] = []
        var lastSent: Int64
        /// Whether what the subscription shows ends with it.
        var isLast = false
    }

    /// The socket takes bytes again. True when the log must be read, from `cursor` to `head`; false when nothing was missed.
    package func wake(_ subscription: Subscription) -> Bool {
        guard subscription.state != .live else { return false }
        if subscription.state == .parked { counters.parked -= 1 }
        subscription.state = .replaying
        guard subscription.cursor >= head else { return true }
        join(subscription)
        return false
    }

    /// What changes of the log, those that its reader may see, have for a subscription: those up to `head`, for what it listens
    /// to is as of there. Throws what could not be read; then it is where it was.
    package func page(_ changes: [Change], for subscription: Subscription) throws(LecternError) -> Page {
        var page = Page(lastSent: subscription.lastSent)
        for change in changes where change.seq > subscription.cursor && change.seq <= head && !page.isLast {
            append(change, for: subscription, to: &page)
            guard subscription.showsCards, Card.isAffected(by: change) else { continue }
            for card in try derive(change, subscription.viewer.readerKey) {
                append(card, for: subscription, to: &page)
            }
        }
        return page
    }

    /// Gives a subscription a page of the log that has been read up to `through`. From `head` on it is live. False when it is not to be given another page now: it is live, parked or gone.
    package func replay(_ subscription: Subscription, _ page: Page, through: Int64) -> Bool {
        let through = min(through, head)
        counters.replays += 1
        subscription.cursor = through
        subscription.lastSent = page.lastSent
        if through >= head { join(subscription) }
        if !page.frames.isEmpty { hand(page.frames, to: subscription, through: through) }
        if page.isLast { finish(subscription) }
        return subscription.state == .replaying && !subscription.isCancelled
    }

    /// Gives a subscription what there was at `head` instead of what it has missed: from there on it is live.
    package func skip(_ subscription: Subscription, to head: Int64, _ frames: [[UInt8]]) {
        subscription.cursor = head
        subscription.lastSent = head
        join(subscription)
        hand(frames, to: subscription, through: head)
    }

    private func append(_ change: Change, for subscription: Subscription, to page: inout Page) {
        guard subscription.topics.contains(where: { $0.has(change) }),
            let frame = PublishedChange(change, epoch: epoch).frame(for: subscription)
        else { return }
        Self.add(frame, change.seq, to: &page.frames, &page.lastSent)
        if subscription.ends(with: change) { page.isLast = true }
    }

    /// What a quiet subscriber is sent: a bookmark when the log has moved on without it, else a comment.
    package func heartbeat(for subscription: Subscription) -> [UInt8] {
        let position = subscription.state == .live ? max(head, subscription.cursor) : subscription.lastSent
        guard position > subscription.lastSent else { return EventFrame.heartbeat }
        subscription.lastSent = position
        return EventFrame.bookmark(EventID(epoch: epoch, seq: position))
    }
}
