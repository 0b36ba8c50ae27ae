public import Model

/// From the log to a subscription that is behind, and to one that is quiet.
extension ObservableModels {
    /// The socket takes bytes again. True when the log must be read, from `cursor` on; false when nothing was missed.
    public func wake(_ subscription: Subscription) -> Bool {
        guard subscription.state != .live else { return false }
        if subscription.state == .parked { counters.parked -= 1 }
        subscription.state = .replaying
        guard subscription.cursor >= head else { return true }
        join(subscription)
        return false
    }

    /// Takes in a page of the log: the changes after the cursor, and how far it has been read. At the log's end the
    /// subscription is live. False when it is not to be given another page now: it is live, parked or gone.
    public func replay(_ subscription: Subscription, _ changes: [Change], through: Int64, isEnd: Bool) -> Bool {
        counters.replays += 1
        var frames: [[UInt8]] = []
        for change in changes where change.seq > subscription.cursor {
            append(change, for: subscription, to: &frames)
            if subscription.showsCards, Card.isAffected(by: change) {
                for card in derive(change) { append(card, for: subscription, to: &frames) }
            }
        }
        subscription.cursor = through
        if isEnd { join(subscription) }
        if !frames.isEmpty { hand(frames, to: subscription, through: through) }
        return subscription.state == .replaying && !subscription.isCancelled
    }

    /// Gives a subscription a snapshot of what there was at `head` instead of what it has missed: from there on it is live.
    public func skip(_ subscription: Subscription, to head: Int64, _ snapshot: [UInt8]) {
        subscription.cursor = head
        subscription.lastSent = head
        join(subscription)
        hand([snapshot], to: subscription, through: head)
    }

    private func append(_ change: Change, for subscription: Subscription, to frames: inout [[UInt8]]) {
        guard subscription.topics.contains(where: { $0.has(change) }),
            let frame = PublishedChange(change, epoch: epoch).frame(
                for: subscription, letsThrough: letsThrough)
        else { return }
        add(frame, change.seq, for: subscription, to: &frames)
    }

    /// What a quiet subscriber is sent: a bookmark when the log has moved on without it, else a comment.
    public func heartbeat(for subscription: Subscription) -> [UInt8] {
        let position = subscription.state == .live ? max(head, subscription.cursor) : subscription.lastSent
        guard position > subscription.lastSent else { return EventFrame.heartbeat }
        subscription.lastSent = position
        return EventFrame.bookmark(EventID(epoch: epoch, seq: position))
    }
}
