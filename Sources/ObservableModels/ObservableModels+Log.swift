package import Model

/// From the log to a subscription that is behind, and to one that is quiet.
extension ObservableModels {
    /// What a subscription that is behind is given next. It has been given nothing of it yet.
    package struct Page {
        var frames: [[UInt8]] = []
        /// It tells of everything up to here.
        var through: Int64
        /// The number of the last id in it; nil where there is none.
        var lastSent: Int64?
        /// Whether what the subscription shows ends with it.
        var isLast = false

        /// What there was at a change, instead of what has been missed.
        package static func anew(_ frames: [[UInt8]], at head: Int64) -> Page {
            Page(frames: frames, through: head, lastSent: frames.isEmpty ? nil : head)
        }
    }

    /// What changes of the log up to a place, those that its reader may see, have for a subscription, with what is known of
    /// their needs. It goes no further than `head`, for what the subscription listens to is as of there. Throws what could
    /// not be read.
    package func page(
        _ changes: [Change], _ answers: [Answer], through: Int64, for subscription: Subscription
    ) throws(LecternError) -> Page {
        counters.replays += 1
        var page = Page(through: min(through, head))
        var lastSent = subscription.lastSent
        for change in changes where change.seq > subscription.state.cursor && change.seq <= head && !page.isLast {
            append(change, for: subscription, to: &page, &lastSent)
            for answer in answers where answer.need.change.seq == change.seq {
                for whole in try answer.changes() { append(whole, for: subscription, to: &page, &lastSent) }
            }
        }
        return page
    }

    private func append(
        _ change: Change, for subscription: Subscription, to page: inout Page, _ lastSent: inout Int64
    ) {
        guard subscription.topics.contains(where: { $0.has(change) }) else { return }
        let published = PublishedChange(change, epoch: epoch)
        let name = published.name(in: subscription.filter)
        guard let frame = subscription.frame(of: published, as: name, change.changed) else { return }
        EventFrame.add(frame, change.seq, to: &page.frames, &lastSent)
        page.lastSent = lastSent
        if subscription.ends(with: change) { page.isLast = true }
    }

    /// Takes it that a subscription has been read a page, which is to be sent. From `head` on it is live.
    package func turn(_ page: Page, for subscription: Subscription) -> Effect {
        if let lastSent = page.lastSent { subscription.lastSent = lastSent }
        _ = advance(subscription, .read(through: page.through, head: head))
        if page.isLast { _ = advance(subscription, .over) }
        return send(page.frames, to: subscription, through: page.through)
    }

    /// What a quiet subscriber is sent: a bookmark when the log has moved on without it, else a comment.
    package func heartbeat(for subscription: Subscription) -> [UInt8] {
        let isLive = subscription.state.phase == .live
        let position = isLive ? max(head, subscription.state.cursor) : subscription.lastSent
        guard position > subscription.lastSent else { return EventFrame.heartbeat }
        subscription.lastSent = position
        return EventFrame.bookmark(EventID(epoch: epoch, seq: position))
    }
}
