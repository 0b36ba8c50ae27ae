package import Model

/// The observable models of one event loop. Confined to the loop's thread.
///
/// `publish` takes a commit and returns its effects on subscriptions; what must be read for that is read through
/// `lookups`. `delivered` records the outcome of the effects. A subscription whose socket does not take all bytes is
/// parked, and reads the log later.
package final class ObservableModels {
    /// Counters since the loop began, and current numbers.
    package struct Counters: Sendable {
        /// The current number of subscriptions.
        package var subscriptions = 0
        /// The number of subscriptions that are behind.
        package var parked = 0
        /// The number of frames given to sockets.
        package var deliveredEvents = 0
        /// The number of pages of the log that were replayed.
        package var replays = 0
        /// The number of subscribers that got a `reset`.
        package var resets = 0
        /// The number of bytes in held representations.
        package var cachedBytes = 0
    }

    /// The last change that was published here. Replays read no further: subscriptions follow the commits up to here,
    /// even if the database has later ones.
    package internal(set) var head: Int64
    package var counters = Counters()

    let epoch: LogEpoch
    let lookups: ChangeLookups
    // Exclusivity is unchecked because each access is one call, which calls nothing outside of the cache.
    @exclusivity(unchecked) var representations: RepresentationCache
    /// The models, by topic.
    var models: [WatchTopic: ObservableModel] = [:]
    /// The number of models of composed resources or of all resources of a kind. It is mostly zero, and then changes skip the search
    /// for such models.
    private(set) var composedCount = 0
    /// The number of models of windows.
    private(set) var windowCount = 0
    /// All subscriptions.
    var everyone: [ObjectIdentifier: Subscription] = [:]
    /// The subscriptions for which the commits of this turn have events.
    var touched: [Subscription] = []

    /// Creates the models of a loop that has received every commit up to `head`.
    package init(epoch: LogEpoch, head: Int64, cacheBytesMax: Int, _ lookups: ChangeLookups) {
        self.epoch = epoch
        self.lookups = lookups
        self.head = head
        representations = RepresentationCache(bytesMax: cacheBytesMax)
    }

    /// Raises `head` to a change that was read from the log, before the first subscription.
    package func begin(at head: Int64) { self.head = max(self.head, head) }

    // MARK: Representations

    /// Returns the latest representation of a resource, or `nil` if none is held.
    package func value(_ kind: ResourceKind, _ id: ResourceID) -> CachedRepresentation? {
        representations[RepresentationCache.Key(id: id, kind: kind)]
    }

    /// Stores a representation that was read.
    package func store(_ kind: ResourceKind, _ id: ResourceID, version: Int64, bytes: [UInt8], scope: ChangeScope) {
        representations.hold(
            CachedRepresentation(version: version, bytes: bytes, scope: scope), of: .init(id: id, kind: kind))
        counters.cachedBytes = representations.bytes
    }

    // MARK: Subscriptions

    /// The number of changes by which the subscription furthest behind lags.
    package var lag: Int {
        guard counters.parked > 0 else { return 0 }
        let cursors = everyone.values.lazy.map(\.state).filter { $0.phase == .parked }.map(\.cursor)
        return Int(head - min(head, cursors.min() ?? head))
    }

    /// Adds a subscription, which receives nothing until it is woken.
    package func subscribe(_ subscription: Subscription) {
        register(subscription)
        everyone[ObjectIdentifier(subscription)] = subscription
        counters.subscriptions += 1
    }

    /// Removes a subscription. A second call has no effect.
    package func cancel(_ subscription: Subscription) { _ = advance(subscription, .cancelled) }

    /// Records that the socket takes bytes again. Returns `true` if the log must be read from the cursor, and `false`
    /// if nothing was missed. With `hasPendingWork`, the subscription does not become live, because the loop must first act.
    package func wake(_ subscription: Subscription, hasPendingWork: Bool = false) -> Bool {
        advance(subscription, .woken(head: hasPendingWork ? .max : target(of: subscription))) == .readLog
    }

    /// Returns the change at which a subscription becomes live: `head`, or the later change as of which its URLs were
    /// read. The id of its beginning must be sent before it is live.
    func target(of subscription: Subscription) -> Int64 { max(head, subscription.cursorState?.target ?? 0) }

    /// Applies an event to a subscription's state, and updates audiences and counters.
    func advance(_ subscription: Subscription, _ event: SubscriptionStateInput) -> SubscriptionState.Action {
        let before = subscription.state.phase
        let action = subscription.state.take(event)
        let now = subscription.state.phase
        guard now != before else { return action }
        if before == .live { leave(subscription) }
        if before == .parked { counters.parked -= 1 }
        switch now {
        case .live: join(subscription)
        case .parked: counters.parked += 1
        case .replaying: break
        case .ended:
            everyone[ObjectIdentifier(subscription)] = nil
            release(subscription.registrations)
            subscription.registrations = []
            counters.subscriptions -= 1
        }
        return action
    }

    /// Gives a URL of a subscription other topics, and keeps the subscription live or behind.
    func listen(_ subscription: Subscription, urlAt index: Int, to topics: [WatchTopic]) {
        guard topics != subscription.topics(ofURLAt: index) else { return }
        var entering = subscription.urls
        for other in entering.indices { entering[other].entering = subscription.topics(ofURLAt: other) }
        entering[index].entering = topics
        replaceURLs(subscription, entering)
    }

    /// Removes the URLs of a subscription that do not satisfy a predicate, and keeps the others as they are.
    package func keep(_ isKept: (SubscribedURL) -> Bool, of subscription: Subscription) {
        var kept: [SubscribedURL] = []
        for index in subscription.urls.indices where isKept(subscription.urls[index]) {
            var url = subscription.urls[index]
            url.entering = subscription.topics(ofURLAt: index)
            kept.append(url)
        }
        replaceURLs(subscription, kept)
        if !subscription.needsSnapshot { subscription.cursorState?.viewsThrough = nil }
    }

    /// Adds a URL to a subscription that is not live.
    package func add(_ url: SubscribedURL, to subscription: Subscription) {
        subscription.urls.append(url)
        register(subscription)
        guard let (other, registration) = subscription.registrations.last?.model.audience.last else { return }
        let known = other.urls[Int(other.registrations[registration].urlIndex)].url
        // Streams of one URL share its text. Strings of other bytes can be equal.
        if known.utf8.elementsEqual(url.url.utf8) { subscription.urls[subscription.urls.count - 1].url = known }
    }

    private func replaceURLs(_ subscription: Subscription, _ urls: [SubscribedURL]) {
        let isLive = subscription.state.phase == .live
        if isLive { leave(subscription) }
        let former = subscription.registrations
        (subscription.urls, subscription.registrations) = (urls, [])
        register(subscription)
        release(former)
        if isLive { join(subscription) }
    }

    private func join(_ subscription: Subscription) {
        for index in subscription.registrations.indices {
            let model = subscription.registrations[index].model
            model.join(subscription, registration: index)
            // A window's events begin with a known state of its rows.
            if !model.serves(subscription, at: index) { subscription.invalidate(at: index) }
        }
    }

    private func leave(_ subscription: Subscription) {
        for index in subscription.registrations.indices {
            subscription.registrations[index].model.leave(subscription, registration: index)
        }
    }

    /// Registers the URLs at the models of the topics that they are to enter.
    private func register(_ subscription: Subscription) {
        var registrations: [Subscription.Registration] = []
        registrations.reserveCapacity(subscription.urls.reduce(0) { $0 + $1.entering.count })
        for index in subscription.urls.indices {
            for topic in subscription.urls[index].entering {
                registrations.append(
                    Subscription.Registration(model: model(of: topic), audienceIndex: -1, urlIndex: Int32(index)))
            }
            subscription.urls[index].entering = []
        }
        for registration in registrations { registration.model.holders += 1 }
        // Streams stay open for long, so the array gets no spare capacity.
        subscription.registrations =
            subscription.registrations.isEmpty ? registrations : subscription.registrations + registrations
    }

    private func release(_ registrations: [Subscription.Registration]) {
        for registration in registrations {
            registration.model.holders -= 1
            forget(registration.model)
        }
    }

    /// Returns the model of a topic, and creates it and the models that it observes if needed.
    private func model(of topic: WatchTopic) -> ObservableModel {
        if let model = models[topic] { return model }
        let model = ObservableModel(topic)
        models[topic] = model
        if isComposed(topic) { composedCount += 1 }
        if topic.shape != nil { windowCount += 1 }
        for part in observed(by: topic) { self.model(of: part).add(model) }
        return model
    }

    /// Removes a model that has no holders, and the models that only it observed.
    private func forget(_ model: ObservableModel) {
        guard model.holders == 0 else { return }
        models[model.topic] = nil
        if isComposed(model.topic) { composedCount -= 1 }
        if model.topic.shape != nil { windowCount -= 1 }
        for part in observed(by: model.topic).compactMap({ models[$0] }) {
            part.remove(model)
            forget(part)
        }
    }

    private func isComposed(_ topic: WatchTopic) -> Bool {
        if case .every = topic { true } else { topic.kind?.composition != nil }
    }

    /// Returns the topics that the model of a topic observes: the list for a filtered list or a window, and the
    /// parts of composed resources.
    private func observed(by topic: WatchTopic) -> [WatchTopic] {
        switch topic {
        case .filtered, .window: topic.unfiltered
        case .resource(let kind, let id):
            kind.composition.map { [.resource($0.base, id), .list($0.shared, .everyone)] } ?? []
        case .list(let kind, let scope):
            kind.composition.map { [.list($0.base, scope), .list($0.shared, .everyone)] } ?? []
        case .every, .feed, .presence, .day: []
        }
    }
}
