package import Model

/// From commits to subscriptions.
extension ObservableModels {
    /// Takes commits in, in their order.
    package func publish(_ commits: [Commit]) {
        for commit in commits {
            for change in commit.changes { take(change) }
            head = max(head, commit.head)
        }
        counters.cachedBytes = cache.bytes
        for (subscription, frame) in lost where !subscription.isCancelled {
            subscription.forgetNoted()
            hand([frame], to: subscription, through: head)
            finish(subscription)
        }
        lost.removeAll()
        flush()
        for commit in commits {
            for change in commit.changes where change.kind == .token && change.operation == .deleted {
                endAll(of: change.id)
            }
        }
    }

    private func take(_ change: Change) {
        guard change.operation != .unlocked else {
            let topics = [Topic.feed(change.scope), .list(.note, change.scope)]
            guard topics.contains(where: isHeard) else { return }
            return attempt(change, topics) { () throws(LecternError) in try self.expand(change).forEach(self.offer) }
        }
        cache.learn(change)
        follow(change)
        offer(change)
        guard !cardInterest.isEmpty, Card.isAffected(by: change) else { return }
        attempt(change, cardInterest.keys) { () throws(LecternError) in
            try self.derive(change, nil).forEach(self.offer)
        }
    }

    /// Does something with a change. When that needs what cannot be read, which is no "no", those who listen to the topics
    /// get the change, and what follows it, from the log.
    private func attempt(
        _ change: Change, _ topics: some Sequence<Topic>, _ body: () throws(LecternError) -> Void
    ) {
        do throws(LecternError) { try body() } catch {
            report(error)
            for topic in topics {
                for (subscription, _) in audiences[topic]?.members ?? [] where subscription.hears(change.seq) {
                    touch(subscription)
                    subscription.missedFrom = change.seq
                }
            }
        }
    }

    /// Whether somebody hears a topic now.
    private func isHeard(_ topic: Topic) -> Bool {
        audiences[topic]?.members.contains { $0.subscription.missedFrom == nil } ?? false
    }

    private func offer(_ change: Change) {
        let published = PublishedChange(change, epoch: epoch)
        guard change.isGated else { return offer(published, told: nil) }
        let topics = Topic.all(of: change)
        var asked: Set<Int64> = []
        for topic in topics {
            for (subscription, _) in audiences[topic]?.members ?? [] where subscription.hears(change.seq) {
                asked.insert(subscription.viewer.readerKey)
            }
        }
        guard !asked.isEmpty else { return }
        attempt(change, topics) { () throws(LecternError) in
            self.offer(published, told: try self.told(change, asked))
        }
    }

    private func offer(_ published: PublishedChange, told: Set<Int64>?) {
        let change = published.change
        offer(published, to: .resource(change.kind, change.id), told: told)
        offer(published, to: .list(change.kind, change.scope), told: told)
        if change.kind != .card { offer(published, to: .feed(change.scope), told: told) }
    }

    private func offer(_ published: PublishedChange, to topic: Topic, told: Set<Int64>?) {
        guard let audience = audiences[topic] else { return }
        let seq = published.change.seq
        for (subscription, _) in audience.members where subscription.hears(seq) {
            // Changes that share a seq are given together, unless some of them have been told: the log knows which.
            guard subscription.notedBytes < Self.notedBytesMax || seq == subscription.lastSent,
                subscription.parts == 0 || seq > subscription.cursor + 1
            else {
                touch(subscription)
                subscription.missedFrom = seq
                continue
            }
            if let told, !told.contains(subscription.viewer.readerKey) { continue }
            guard let frame = published.frame(for: subscription) else { continue }
            touch(subscription)
            Self.add(frame, seq, to: &subscription.noted, &subscription.lastSent)
            subscription.notedBytes += frame.count
            if subscription.ends(with: published.change) { subscription.isOver = true }
        }
    }

    /// Bytes that commits may have for a subscription in one go; what is more it gets from the log.
    private static let notedBytesMax = 1 << 20

    private func touch(_ subscription: Subscription) {
        guard !subscription.isTouched else { return }
        subscription.isTouched = true
        touched.append(subscription)
    }

    private func flush() {
        for subscription in touched {
            let (frames, missed) = (subscription.noted, subscription.missedFrom)
            subscription.forgetNoted()
            guard !subscription.isCancelled else { continue }
            if !frames.isEmpty { hand(frames, to: subscription, through: missed.map { $0 - 1 } ?? head) }
            if subscription.isOver { finish(subscription) }
            guard let missed, subscription.state == .live, !subscription.isCancelled else { continue }
            park(subscription, at: missed - 1)
            resume(subscription)
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// Gives frames; whoever does not take them all is behind from here on.
    func hand(_ frames: [[UInt8]], to subscription: Subscription, through: Int64) {
        counters.deliveredEvents += frames.count
        for frame in frames { counters.deliveredBytes += frame.count }
        switch deliver(subscription, frames, through) {
        case .taken: break
        case .kept: park(subscription, at: max(subscription.cursor, through))
        case .gone: cancel(subscription)
        }
    }

    private func park(_ subscription: Subscription, at cursor: Int64) {
        if subscription.state != .parked { counters.parked += 1 }
        subscription.fellBehind = subscription.state == .live
        leave(subscription)
        subscription.state = .parked
        subscription.cursor = cursor
    }

    /// Ends a subscription after what it has been given.
    func finish(_ subscription: Subscription) {
        guard !subscription.isCancelled else { return }
        cancel(subscription)
        end(subscription)
    }

    private func endAll(of token: ResourceID) {
        for (subscription, _) in everyone.members where subscription.viewer.token == token { finish(subscription) }
    }

    /// Adds a frame. Of several events of one change, such as the cards of one reader over one book, only the last carries
    /// the id: a client that is cut off between them has not advanced, and gets all of them again.
    static func add(_ frame: [UInt8], _ seq: Int64, to frames: inout [[UInt8]], _ lastSent: inout Int64) {
        if lastSent == seq, let last = frames.popLast() { frames.append(EventFrame.withoutID(last)) }
        frames.append(frame)
        lastSent = seq
    }
}
