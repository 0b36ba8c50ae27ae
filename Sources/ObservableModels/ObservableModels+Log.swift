package import Model

/// From the log to a subscription that is behind, and to one that is quiet.
extension ObservableModels {
    /// What a subscription that is behind is given next. It has been given nothing of it yet.
    package struct Page {
        var frames: [[UInt8]] = []
        /// It tells of everything up to here.
        let through: Int64
        /// And of so many parts of the change after it.
        var parts = 0
        /// Whether something is to be done where it ends.
        package var isHeld = false
        /// The parts that end with it.
        var ended: Set<Int> = []

        /// Frames that do not come from the log, with their ids, for a subscription that resumes from a change.
        package static func said(_ frames: [[UInt8]], at seq: Int64, parts: Int = 0, isHeld: Bool) -> Page {
            Page(frames: frames, through: seq, parts: parts, isHeld: isHeld)
        }
    }

    /// What changes of the log up to a place, those that its reader may see, have for a subscription, with what is known of
    /// their needs. It goes no further than `head`, for what the subscription listens to is as of there. Throws what could
    /// not be read.
    package func page(
        _ changes: [Change], _ answers: [Answer], through: Int64, for subscription: Subscription
    ) throws(LecternError) -> Page {
        counters.replays += 1
        let through = min(through, head)
        var noted: [Noted] = []
        var ended: Set<Int> = []
        for change in changes where change.seq > subscription.state.cursor && change.seq <= through {
            append(change, for: subscription, to: &noted, &ended)
            for answer in answers where answer.need.change.seq == change.seq {
                for card in try answer.changes() ?? [] { append(card, for: subscription, to: &noted, &ended) }
            }
        }
        let folded = subscription.style.folds ? noted.fold() : 0
        counters.folded += folded
        var frames = subscription.frames(of: noted, through: through, isOneUnit: folded > 0, epoch)
        if folded > 0 {
            frames.insert(EventFrame.lagged(from: subscription.state.cursor, to: through, folded: folded), at: 0)
        }
        return Page(frames: frames, through: through, ended: ended)
    }

    /// Adds what a change has for a subscription.
    private func append(
        _ change: Change, for subscription: Subscription, to noted: inout [Noted], _ ended: inout Set<Int>
    ) {
        let published = PublishedChange(change, epoch: epoch)
        var event: Noted?
        var before: Int32 = -1
        // The seats of a part lie together.
        for seat in subscription.seats where seat.part != before && tells(seat.model.topic, change) {
            let index = Int(seat.part)
            let part = subscription.parts[index]
            before = seat.part
            guard change.seq > part.since, !part.isOver, !ended.contains(index), !part.counts(seat.model.topic) else {
                continue
            }
            let name = published.name(in: part.filter)
            if part.form != .events, !subscription.ends(part: index, with: change) {
                if name != nil { subscription.owe(part: index, through: change.seq - 1) }
                continue
            }
            guard let heard = subscription.heard(of: published, index, as: name, change.changed) else { continue }
            if event == nil { event = Noted(published, heard) } else { event?.add(heard) }
            if heard.isOver { ended.insert(index) }
        }
        if let event { noted.append(event) }
    }

    /// Returns whether the model of a topic tells its subscribers of a change: as `tell` does it for a commit.
    private func tells(_ topic: Topic, _ change: Change) -> Bool {
        if case .feed = topic, change.kind == .card { return false }
        return topic.has(change)
    }

    /// Takes it that a subscription has been read a page, which is to be sent. From `head` on it is live.
    package func turn(_ page: Page, for subscription: Subscription) -> Effect {
        _ = advance(
            subscription,
            .read(through: page.through, parts: page.parts, head: page.isHeld ? .max : target(of: subscription)))
        for part in page.ended { subscription.end(part: part) }
        return send(page.frames, to: subscription, through: page.through)
    }

    /// Takes it that a subscription is opened with a page, and returns its frames. It is live no earlier than its socket takes bytes.
    package func open(_ subscription: Subscription, with page: Page) -> [[UInt8]] {
        var page = page
        page.isHeld = true
        guard case .send(_, let frames, _) = turn(page, for: subscription) else { return [] }
        return frames
    }

    /// What a quiet subscriber is sent: a bookmark when the log has moved on without it, else a comment.
    package func heartbeat(for subscription: Subscription) -> [UInt8] {
        // What is owed is not known to have been received before it is sent.
        guard subscription.style.isNamed || !subscription.owes else { return EventFrame.heartbeat }
        let isLive = subscription.state.phase == .live
        let position = isLive ? max(head, subscription.state.cursor) : subscription.lastSent
        guard position > subscription.lastSent, subscription.mayMove(to: position) else { return EventFrame.heartbeat }
        return EventFrame.bookmark(subscription.id(at: position, epoch))
    }
}
