package import Model

/// Delivery of commits to subscriptions.
extension ObservableModels {
    /// Applies a commit, with the answers to its look-ups, and returns the effects on subscriptions.
    package func publish(_ commit: Commit, _ answers: [CommitLookupResult] = []) -> [DeliveryEffect] {
        var rest = extendWindows(by: answers)
        for change in commit.changes {
            let known = rest.prefix { $0.need.change.seq == change.seq }
            rest = rest.dropFirst(known.count)
            learn(change, known)
        }
        head = max(head, commit.head)
        counters.cachedBytes = representations.bytes
        var effects: [DeliveryEffect] = []
        takeTouched(to: &effects)
        for change in commit.changes where change.endsStreams {
            for (subscription, _) in everyone.members where change.endsStreams(of: subscription.viewer) {
                effects.append(.end(subscription))
            }
        }
        return effects
    }

    /// Records the delivery of frames to a subscription, and returns the next action.
    package func delivered(
        _ subscription: Subscription, through: Int64, _ delivery: SubscriptionState.Delivery
    ) -> SubscriptionState.Action {
        advance(subscription, .given(through: through, delivery))
    }

    /// Returns the effect that sends frames, which cover everything up to a change, to a subscription.
    package func sending(_ frames: [[UInt8]], to subscription: Subscription, through: Int64) -> DeliveryEffect {
        send(frames, to: subscription, through: through)
    }

    /// Ends one watched URL of a subscription, after the client was sent its end.
    package func end(_ subscription: Subscription, part: Int) { subscription.end(part: part) }

    /// Ends a name of a subscription whose events cannot be delivered any more.
    package func ending(_ subscription: Subscription, name: String, because reason: StaticString) -> DeliveryEffect {
        if let part = subscription.part(named: name) { subscription.end(part: part) }
        subscription.cursorState?.end(name)
        let through = subscription.state.phase == .live ? head : subscription.state.cursor
        return send([EventFrame.gone(name, reason)], to: subscription, through: through)
    }

    private func learn(_ change: Change, _ answers: ArraySlice<CommitLookupResult>) {
        // A row of the log that names several resources is no change of any one of them.
        guard !change.operation.isVisibilityChange else {
            let single = change.operation.isHiding ? models.keys.filter { $0.isOne(of: change.kind) } : []
            let topics = WatchTopic.lists(of: change) + single
            guard let answer = answers.first else { return sendToLog(change, topics) }
            return deliverChanges(in: answer, orFromLog: topics)
        }
        representations.learn(change)
        follow(change)
        deliverGated(change, knowing: answers.first)
        for answer in answers {
            if case .composed(let watched) = answer.need.question {
                deliverChanges(in: answer, orFromLog: watched.topics)
            }
        }
    }

    /// Delivers the changes in an answer. Without them, subscriptions to the topics get the change from the log.
    private func deliverChanges(in answer: CommitLookupResult, orFromLog topics: some Sequence<WatchTopic>) {
        do throws(RequestError) {
            guard let changes = try answer.changes() else { return sendToLog(answer.need.change, topics) }
            for change in changes { deliver(change) }
        } catch {
            sendToLog(answer.need.change, topics)
        }
    }

    private func deliverGated(_ change: Change, knowing answer: CommitLookupResult?) {
        var recipients: ChangeRecipients?
        if change.isGated {
            recipients = .unasked
            if case .recipients(let asked)? = answer?.need.question,
                case .success(.readers(let readers))? = answer?.result
            {
                recipients = ChangeRecipients(asked: asked, readers: readers)
            }
        }
        deliver(change, recipients)
    }

    private func deliver(_ change: Change, _ recipients: ChangeRecipients? = nil) {
        let published = PublishedChange(change, epoch: epoch)
        models[.resource(change.kind, change.id)]?.take(published, recipients, &touched)
        models[.list(change.kind, change.scope)]?.take(published, recipients, &touched)
        if composedCount > 0 { models[.every(change.kind)]?.take(published, recipients, &touched) }
        // A feed shows changes of the log, which has no composed resources.
        if change.kind.composition == nil { models[.feed(change.scope)]?.take(published, recipients, &touched) }
    }

    private func sendToLog(_ change: Change, _ topics: some Sequence<WatchTopic>) {
        for topic in topics { models[topic]?.sendToLog(change, &touched) }
    }

    /// Requests new views of a topic for the viewers concerned, for a reason that is no change of the log.
    package func renew(_ topic: WatchTopic, for concerns: (Viewer) -> Bool = { _ in true }) -> [DeliveryEffect] {
        var effects: [DeliveryEffect] = []
        for (subscription, slot) in models[topic]?.audience.members ?? [] where concerns(subscription.viewer) {
            let part = Int(subscription.registrations[slot].part)
            guard subscription.parts[part].form == .view, !subscription.parts[part].isOver else { continue }
            subscription.parts[part].needsSnapshot = true
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

    private func takeTouched(to effects: inout [DeliveryEffect]) {
        effects.reserveCapacity(effects.count + touched.count)
        for subscription in touched where subscription.isTouched {
            let isLive = subscription.state.phase == .live
            let (frames, through) = subscription.takePending(head: head, epoch)
            guard !subscription.hasEnded else { continue }
            effects.append(send(frames, to: subscription, through: through))
            if isLive, subscription.isStale { effects.append(.renew(subscription)) }
        }
        touched.removeAll(keepingCapacity: true)
    }

    func send(_ frames: [[UInt8]], to subscription: Subscription, through: Int64) -> DeliveryEffect {
        counters.deliveredEvents += frames.count
        for frame in frames { counters.deliveredBytes += frame.count }
        return .send(subscription, frames, through: through)
    }
}
