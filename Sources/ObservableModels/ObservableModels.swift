import JSON
public import Model

/// What an event loop knows of the resources that are read and watched on it. Confined to the loop's thread.
///
/// Every commit comes in by `publish`; each subscription that is live is given, in one go, the frames that the commits have
/// for it. Who does not take them all is parked, and replayed later.
public final class ObservableModels {
    /// What became of frames.
    public enum Delivery: Sendable {
        case taken
        /// They will be sent, but no more is taken until the owner says so.
        case kept
        case gone
    }

    /// What has happened since the loop began.
    public struct Counters: Sendable {
        /// Subscriptions now.
        public var subscriptions = 0
        /// Of them, those that are behind.
        public var parked = 0
        /// Frames given to sockets.
        public var deliveredEvents = 0
        /// Their bytes.
        public var deliveredBytes = 0
        /// Pages of the log that were replayed.
        public var replays = 0
        /// Subscribers that were told to start anew.
        public var resets = 0
        /// Bytes of the models that are held.
        public var cachedBytes = 0
    }

    /// The last change that has come in.
    public private(set) var head: Int64
    /// What has happened.
    public var counters = Counters()
    /// The changes of cards that follow from a change of a reading or a book.
    public var derive: (Change) -> [Change] = { _ in [] }
    /// The changes that a change stands for which unlocks several notes.
    public var expand: (Change) -> [Change] = { [$0] }
    /// Whether a change of a club may be told to a member of it.
    public var letsThrough: (Change, Viewer) -> Bool = { _, _ in true }
    /// Gives frames to a subscription's owner.
    public var deliver: (Subscription, [[UInt8]]) -> Delivery = { _, _ in .gone }
    /// Lets a parked subscription, whose socket takes bytes, go on soon.
    public var resume: (Subscription) -> Void = { _ in }
    /// Ends a subscription whose right is gone. It has been cancelled.
    public var end: (Subscription) -> Void = { _ in }

    let epoch: Epoch
    private var cache: ModelCache
    /// All subscriptions.
    var everyone = Audience()
    /// The live ones of each topic: who is behind costs nothing while changes pass.
    private var audiences: [Topic: Audience] = [:]
    /// How many subscriptions, live or behind, show the cards of a topic.
    private var cardInterest: [Topic: Int] = [:]
    private var touched: [Subscription] = []
    /// Those whose right has just gone.
    var lost: [Subscription] = []

    /// The models of a loop that has heard of every commit up to `head`.
    public init(epoch: Epoch, head: Int64, cacheBytesMax: Int) {
        self.epoch = epoch
        self.head = head
        cache = ModelCache(bytesMax: cacheBytesMax)
    }

    // MARK: Models

    /// The latest representation of a resource; nil when it is not held.
    public func value(_ kind: ResourceKind, _ id: ResourceID) -> ObservableModel? {
        cache.model(ModelCache.Key(kind: kind, id: id))
    }

    /// Holds a representation that was read.
    public func store(_ kind: ResourceKind, _ id: ResourceID, version: Int64, bytes: [UInt8], scope: Scope) {
        cache.store(ModelCache.Key(kind: kind, id: id), ObservableModel(version: version, bytes: bytes, scope: scope))
        counters.cachedBytes = cache.bytes
    }

    // MARK: Subscriptions

    /// Adds a subscription; it gets nothing before its first replay.
    public func subscribe(_ subscription: Subscription) {
        everyone.add(subscription, slot: subscription.topics.count)
        if subscription.showsCards { for topic in subscription.topics { cardInterest[topic, default: 0] += 1 } }
        counters.subscriptions += 1
    }

    /// Takes a subscription away; a second time does nothing.
    public func cancel(_ subscription: Subscription) {
        guard !subscription.isCancelled else { return }
        leave(subscription)
        everyone.remove(subscription, slot: subscription.topics.count)
        if subscription.showsCards {
            for topic in subscription.topics {
                cardInterest[topic, default: 0] -= 1
                if cardInterest[topic] == 0 { cardInterest[topic] = nil }
            }
        }
        if subscription.state == .parked { counters.parked -= 1 }
        counters.subscriptions -= 1
        (subscription.noted, subscription.notedBytes, subscription.missedFrom) = ([], 0, nil)
    }

    /// Whether somebody looks at the cards of a topic.
    public func isWatched(_ topic: Topic) -> Bool { cardInterest[topic] != nil }

    /// It has everything so far: from here on it hears each commit.
    func join(_ subscription: Subscription) {
        guard subscription.state != .live else { return }
        subscription.state = .live
        for (slot, topic) in subscription.topics.enumerated() {
            audiences[topic, default: Audience()].add(subscription, slot: slot)
        }
    }

    private func leave(_ subscription: Subscription) {
        guard subscription.state == .live else { return }
        for (slot, topic) in subscription.topics.enumerated() {
            audiences[topic]?.remove(subscription, slot: slot)
            if audiences[topic]?.members.isEmpty ?? false { audiences[topic] = nil }
        }
    }

    // MARK: Commits

    /// Takes commits in, in their order.
    public func publish(_ commits: [Commit]) {
        for commit in commits {
            for change in commit.changes {
                guard change.operation != .unlocked else {
                    if isHeard(change.scope) { expand(change).forEach(offer) }
                    continue
                }
                cache.learn(change)
                follow(change)
                offer(change)
                if !cardInterest.isEmpty, Card.isAffected(by: change) { derive(change).forEach(offer) }
            }
            head = max(head, commit.head)
        }
        counters.cachedBytes = cache.bytes
        for subscription in lost {
            cancel(subscription)
            end(subscription)
        }
        lost.removeAll()
        flush()
        for commit in commits {
            for change in commit.changes where change.kind == .token && change.operation == .deleted {
                endAll(of: change.id)
            }
        }
    }

    /// Gives a subscription other topics; it stays what it is, live or behind.
    func listen(_ subscription: Subscription, to topics: [Topic]) {
        guard topics != subscription.topics else { return }
        let wasLive = subscription.state == .live
        leave(subscription)
        everyone.remove(subscription, slot: subscription.topics.count)
        subscription.topics = topics
        subscription.places = Array(repeating: -1, count: topics.count + 1)
        everyone.add(subscription, slot: topics.count)
        guard wasLive else { return }
        subscription.state = .replaying
        join(subscription)
    }

    /// Whether somebody hears now of notes with a scope.
    private func isHeard(_ scope: Scope) -> Bool {
        [Topic.feed(scope), .list(.note, scope)].contains { topic in
            audiences[topic]?.members.contains { $0.subscription.missedFrom == nil } ?? false
        }
    }

    private func offer(_ change: Change) {
        let published = PublishedChange(change, epoch: epoch)
        offer(published, to: .resource(change.kind, change.id))
        offer(published, to: .list(change.kind, change.scope))
        if change.kind != .card { offer(published, to: .feed(change.scope)) }
    }

    private func offer(_ published: PublishedChange, to topic: Topic) {
        guard let audience = audiences[topic] else { return }
        let seq = published.change.seq
        for (subscription, _) in audience.members where seq > subscription.cursor && subscription.missedFrom == nil {
            // Changes that share a seq are given together.
            guard subscription.notedBytes < Self.notedBytesMax || seq == subscription.lastSent else {
                subscription.missedFrom = seq
                continue
            }
            guard let frame = published.frame(for: subscription, letsThrough: letsThrough) else { continue }
            if subscription.noted.isEmpty { touched.append(subscription) }
            add(frame, seq, for: subscription, to: &subscription.noted)
            subscription.notedBytes += frame.count
        }
    }

    /// Bytes that commits may have for a subscription in one go; what is more it gets from the log.
    private static let notedBytesMax = 1 << 20

    private func flush() {
        for subscription in touched {
            let frames = subscription.noted
            let missed = subscription.missedFrom
            (subscription.noted, subscription.notedBytes, subscription.missedFrom) = ([], 0, nil)
            guard !frames.isEmpty else { continue }
            hand(frames, to: subscription, through: missed.map { $0 - 1 } ?? head)
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
        switch deliver(subscription, frames) {
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

    private func endAll(of token: ResourceID) {
        for (subscription, _) in everyone.members where subscription.viewer.token == token {
            cancel(subscription)
            end(subscription)
        }
    }

    /// Adds a frame. Of several events of one change, such as the cards of one reader over one book, only the last carries
    /// the id: a client that is cut off between them has not advanced, and gets all of them again.
    func add(_ frame: [UInt8], _ seq: Int64, for subscription: Subscription, to frames: inout [[UInt8]]) {
        if subscription.lastSent == seq, let last = frames.popLast() { frames.append(EventFrame.withoutID(last)) }
        frames.append(frame)
        subscription.lastSent = seq
    }
}
