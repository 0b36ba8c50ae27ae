package import Model

/// Delivery from the log to subscriptions that are behind, and heartbeats.
extension ObservableModels {
    /// Returns the page that changes of the log make for a subscription. All given changes must be visible to its
    /// reader. The page ends at `head` at the latest, because the topics of the subscription are as of that change.
    /// `isPartial` says that the last transaction continues on the next page. Throws an error of a look-up.
    package func page(
        _ changes: [Change], through: Int64, isPartial: Bool = false, for subscription: Subscription
    ) throws(RequestError) -> ReplayPage {
        counters.replays += 1
        let through = min(through, head)
        var pending: [PendingEvent] = []
        var ended: Set<Int> = []
        let watched = composites(of: subscription)
        for change in changes where change.seq > subscription.state.cursor && change.seq <= through {
            append(change, for: subscription, to: &pending, &ended)
            guard let watched, change.composedKind != nil else { continue }
            for composed in try lookups.composed(change, watched) {
                append(composed, for: subscription, to: &pending, &ended)
            }
        }
        let frames = subscription.frames(of: pending, through: through, isPartial: isPartial, epoch)
        return ReplayPage(frames, through: through, ended: ended)
    }

    /// Adds the event that a change is for a subscription.
    private func append(
        _ change: Change, for subscription: Subscription, to pending: inout [PendingEvent], _ ended: inout Set<Int>
    ) {
        let published = PublishedChange(change, epoch: epoch)
        var event: PendingEvent?
        var before: Int32 = -1
        // The registrations of a URL are adjacent.
        for registration in subscription.registrations
        where registration.urlIndex != before && delivers(registration.model.topic, change) {
            let index = Int(registration.urlIndex)
            let url = subscription.urls[index]
            before = registration.urlIndex
            guard change.seq > url.since, !url.isOver, !ended.contains(index), !url.counts(registration.model.topic)
            else {
                continue
            }
            let name = published.name(in: url.filter)
            if url.form != .events, !subscription.ends(urlAt: index, with: change) {
                if name != nil { subscription.invalidate(urlAt: index, through: change.seq - 1) }
                continue
            }
            guard let subscribed = subscription.event(of: published, index, as: name) else { continue }
            if event == nil { event = PendingEvent(published, subscribed) } else { event?.addEvent(subscribed) }
            if subscribed.isOver { ended.insert(index) }
        }
        if let event { pending.append(event) }
    }

    /// Returns whether the model of a topic delivers a change, by the same rule as `deliver` for a commit. The feed of a
    /// role also has what the reader received in another role before: the log has only what they could see then.
    private func delivers(_ topic: WatchTopic, _ change: Change) -> Bool {
        guard case .feed(let scope) = topic else { return topic.has(change) }
        guard change.kind.composition == nil else { return false }
        let isOfRole = scope.isForRole && change.scope.isForRole && scope.number == change.scope.number
        return isOfRole || topic.has(change)
    }

    /// Records that a page was read for a subscription, and returns the effect that sends it. The subscription is live
    /// from `head` on.
    package func sending(_ page: ReplayPage, for subscription: Subscription) -> DeliveryEffect {
        _ = advance(
            subscription,
            .read(
                through: page.through, resourcesSent: page.resourcesSent,
                head: page.hasPendingWork ? .max : target(of: subscription))
        )
        for index in page.ended { subscription.end(urlAt: index) }
        return sending(page.frames, to: subscription, through: page.through)
    }

    /// Records that a subscription begins with a page, and returns its frames. The subscription becomes live only when
    /// its socket takes bytes.
    package func open(_ subscription: Subscription, with page: ReplayPage) -> [[UInt8]] {
        var page = page
        page.hasPendingWork = true
        guard case .send(_, let frames, _) = sending(page, for: subscription) else { return [] }
        return frames
    }

    /// Returns a bookmark for a quiet subscriber, with an id if the log has moved on.
    package func heartbeat(for subscription: Subscription) -> [UInt8] {
        // Until pending snapshots are sent, the client does not have everything up to here.
        guard subscription.isNamed || !subscription.needsSnapshot else { return EventFrame.bookmark(nil) }
        let isLive = subscription.state.phase == .live
        let position = isLive ? max(head, subscription.state.cursor) : subscription.lastSent
        guard position > subscription.lastSent, subscription.mayMove(to: position) else {
            return EventFrame.bookmark(nil)
        }
        return EventFrame.bookmark(subscription.id(at: position, epoch))
    }
}

/// The next frames for a subscription that is behind, made from the log or of snapshots, but not yet sent.
package struct ReplayPage {
    let frames: [[UInt8]]
    /// The last change that the page covers completely.
    let through: Int64
    /// The number of resources that the page covers of the change after that.
    let resourcesSent: Int
    /// A Boolean value indicating whether the loop must act where the page ends.
    package var hasPendingWork: Bool
    /// The indices of the URLs that end with the page.
    let ended: Set<Int>

    package init(
        _ frames: [[UInt8]], through: Int64, resourcesSent: Int = 0, hasPendingWork: Bool = false, ended: Set<Int> = []
    ) {
        (self.frames, self.through, self.resourcesSent) = (frames, through, resourcesSent)
        (self.hasPendingWork, self.ended) = (hasPendingWork, ended)
    }
}
