package import Model

/// Delivery of commits to subscriptions.
extension ObservableModels {
    /// Applies a commit, and returns the effects on subscriptions.
    package func publish(_ commit: Commit) -> [DeliveryEffect] {
        if windowCount > 0 { extendWindows(before: commit) }
        let isLarge = isLarge(commit)
        for change in commit.changes {
            if change.operation.isVisibilityChange {
                publish(visibilityChange: change, fromLog: isLarge)
            } else {
                publish(contentChange: change)
            }
        }
        head = max(head, commit.head)
        counters.cachedBytes = representations.bytes
        return takeTouched()
    }

    /// Records the delivery of frames to a subscription, and returns the next action.
    package func delivered(
        _ subscription: Subscription, through: Int64, _ delivery: SubscriptionState.Delivery
    ) -> SubscriptionState.Action {
        advance(subscription, .given(through: through, delivery))
    }

    /// Ends a name of a subscription whose events cannot be delivered any more.
    package func ending(_ subscription: Subscription, name: String, because reason: String) -> DeliveryEffect {
        if let index = subscription.indexOfURL(named: name) { subscription.end(urlAt: index) }
        subscription.cursorState?.end(name)
        let through = subscription.state.phase == .live ? head : subscription.state.cursor
        return sending([EventFrame.gone(name, reason)], to: subscription, through: through)
    }

    /// Updates the cached representation and the memberships by a change of one resource. Delivers it, and the changes of
    /// composed resources that follow from it.
    private func publish(contentChange change: Change) {
        representations.learn(change)
        follow(change)
        do throws(RequestError) {
            deliver(change, try recipients(of: change))
        } catch {
            // An error is not a "no".
            lookups.report(error)
            sendToLog(change, WatchTopic.all(of: change))
        }
        if let watched = composites(of: change) {
            deliver(orFromLog: change, watched.topics) { () throws(RequestError) in
                try lookups.composed(change, watched)
            }
        }
    }

    /// Delivers the changes that a row of the log stands for. The row itself is no change of any one resource.
    private func publish(visibilityChange row: Change, fromLog: Bool) {
        let topics = topics(of: row)
        guard !fromLog, topics.contains(where: isWatched) else { return sendToLog(row, topics) }
        deliver(orFromLog: row, topics) { () throws(RequestError) in try lookups.visibilityChanges(row) }
    }

    /// Delivers the changes that a change makes. If they cannot be read, subscriptions to the topics get it from the
    /// log.
    private func deliver(
        orFromLog change: Change, _ topics: some Sequence<WatchTopic>, _ read: () throws(RequestError) -> [Change]
    ) {
        do throws(RequestError) {
            for made in try read() { deliver(made) }
        } catch {
            lookups.report(error)
            sendToLog(change, topics)
        }
    }

    private func deliver(_ change: Change, _ readers: Set<Int64>? = nil) {
        let published = PublishedChange(change, epoch: epoch)
        models[.resource(change.kind, change.id)]?.take(published, readers, &touched)
        models[.list(change.kind, change.scope)]?.take(published, readers, &touched)
        if composedCount > 0 { models[.every(change.kind)]?.take(published, readers, &touched) }
        // A feed shows changes of the log, which has no composed resources.
        if change.kind.composition == nil { models[.feed(change.scope)]?.take(published, readers, &touched) }
    }

    private func sendToLog(_ change: Change, _ topics: some Sequence<WatchTopic>) {
        for topic in topics { models[topic]?.sendToLog(change, &touched) }
    }

    /// Requests new views of a topic, for a reason that is no change of the log.
    package func renew(_ topic: WatchTopic) -> [DeliveryEffect] {
        var effects: [DeliveryEffect] = []
        for (subscription, registration) in models[topic]?.audience ?? [] {
            let index = Int(subscription.registrations[registration].urlIndex)
            guard subscription.urls[index].form == .view, !subscription.urls[index].isOver else { continue }
            subscription.urls[index].needsSnapshot = true
            effects.append(.renew(subscription))
        }
        return effects
    }

    /// Makes a live subscription read the log after a change, so that the loop can act at that place. A subscription
    /// that is behind reads the log anyway.
    package func readLog(_ subscription: Subscription, after seq: Int64) {
        guard subscription.state.phase == .live else { return }
        let next = max(seq, subscription.state.cursor) + 1
        subscription.sendToLog(from: next, next, &touched)
    }

    private func takeTouched() -> [DeliveryEffect] {
        var effects: [DeliveryEffect] = []
        effects.reserveCapacity(touched.count)
        for subscription in touched where subscription.isTouched {
            let isLive = subscription.state.phase == .live
            let (frames, through) = subscription.takePending(head: head, epoch)
            guard !subscription.hasEnded else { continue }
            effects.append(sending(frames, to: subscription, through: through))
            if isLive, subscription.isStale { effects.append(.renew(subscription)) }
        }
        touched.removeAll(keepingCapacity: true)
        return effects
    }

    /// Returns the effect that sends frames, which cover everything up to a change, to a subscription.
    package func sending(_ frames: [[UInt8]], to subscription: Subscription, through: Int64) -> DeliveryEffect {
        counters.deliveredEvents += frames.count
        return .send(subscription, frames, through: through)
    }
}
