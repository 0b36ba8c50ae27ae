import JSON
package import Model

/// What an event loop knows of the resources that are read and watched on it. Confined to the loop's thread.
///
/// Every commit comes in by `publish`; each subscription that is live is given, in one go, the frames that the commits have
/// for it. Who does not take them all is parked, and replayed later.
package final class ObservableModels {
    /// What became of frames.
    package enum Delivery: Sendable {
        case taken
        /// They will be sent, but no more is taken until the owner says so.
        case kept
        case gone
    }

    /// What has happened since the loop began.
    package struct Counters: Sendable {
        /// Subscriptions now.
        package var subscriptions = 0
        /// Of them, those that are behind.
        package var parked = 0
        /// Frames given to sockets.
        package var deliveredEvents = 0
        /// Their bytes.
        package var deliveredBytes = 0
        /// Pages of the log that were replayed.
        package var replays = 0
        /// Subscribers that were told to start anew.
        package var resets = 0
        /// Bytes of the models that are held.
        package var cachedBytes = 0
    }

    /// The last change that has come in. Whoever reads the log for a subscription reads no further: what listens follows the
    /// commits up to here, not those that the database has already.
    package internal(set) var head: Int64
    /// What has happened.
    package var counters = Counters()
    /// The changes of cards that follow from a change of a reading or a book: of the cards of the reader with a key, or of
    /// all that are watched.
    package var derive: (Change, Int64?) throws(LecternError) -> [Change] = { _, _ in [] }
    /// The changes that a change stands for which unlocks several notes.
    package var expand: (Change) throws(LecternError) -> [Change] = { [$0] }
    /// Who of some members of a club, by key, may be told of a change of a note there.
    package var told: (Change, Set<Int64>) throws(LecternError) -> Set<Int64> = { _, members in members }
    /// Hears what could not be read; those who should have heard of it are sent to the log.
    package var report: (LecternError) -> Void = { _ in }
    /// Gives frames, which tell of everything up to a change, to a subscription's owner.
    package var deliver: (Subscription, [[UInt8]], Int64) -> Delivery = { _, _, _ in .gone }
    /// Lets a parked subscription, whose socket takes bytes, go on soon.
    package var resume: (Subscription) -> Void = { _ in }
    /// Ends a subscription whose right is gone, or what it shows. It has been cancelled.
    package var end: (Subscription) -> Void = { _ in }

    let epoch: Epoch
    var cache: ModelCache
    /// All subscriptions.
    var everyone = Audience()
    /// The live ones of each topic: who is behind costs nothing while changes pass.
    var audiences: [Topic: Audience] = [:]
    /// How many subscriptions, live or behind, show the cards of a topic.
    var cardInterest: [Topic: Int] = [:]
    /// Those that the commits of this turn have something for.
    var touched: [Subscription] = []
    /// Those whose right has just gone, each with the last that it is told.
    var lost: [(subscription: Subscription, frame: [UInt8])] = []

    /// The models of a loop that has heard of every commit up to `head`.
    package init(epoch: Epoch, head: Int64, cacheBytesMax: Int) {
        self.epoch = epoch
        self.head = head
        cache = ModelCache(bytesMax: cacheBytesMax)
    }

    /// Says that the log has been read up to `head` by who may have heard of less, before anybody subscribes.
    package func begin(at head: Int64) { self.head = max(self.head, head) }

    // MARK: Models

    /// The latest representation of a resource; nil when it is not held.
    package func value(_ kind: ResourceKind, _ id: ResourceID) -> ObservableModel? {
        cache.model(ModelCache.Key(kind: kind, id: id))
    }

    /// Holds a representation that was read.
    package func store(_ kind: ResourceKind, _ id: ResourceID, version: Int64, bytes: [UInt8], scope: Scope) {
        cache.store(ModelCache.Key(kind: kind, id: id), ObservableModel(version: version, bytes: bytes, scope: scope))
        counters.cachedBytes = cache.bytes
    }

    // MARK: Subscriptions

    /// Adds a subscription; it gets nothing before its first replay.
    package func subscribe(_ subscription: Subscription) {
        everyone.add(subscription, slot: subscription.topics.count)
        if subscription.showsCards { for topic in subscription.topics { cardInterest[topic, default: 0] += 1 } }
        counters.subscriptions += 1
    }

    /// Takes a subscription away; a second time does nothing.
    package func cancel(_ subscription: Subscription) {
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
        subscription.forgetNoted()
    }

    /// Whether somebody looks at the cards of a topic.
    package func isWatched(_ topic: Topic) -> Bool { cardInterest[topic] != nil }

    /// It has everything so far: from here on it hears each commit.
    func join(_ subscription: Subscription) {
        guard subscription.state != .live else { return }
        subscription.state = .live
        for (slot, topic) in subscription.topics.enumerated() {
            audiences[topic, default: Audience()].add(subscription, slot: slot)
        }
    }

    func leave(_ subscription: Subscription) {
        guard subscription.state == .live else { return }
        for (slot, topic) in subscription.topics.enumerated() {
            audiences[topic]?.remove(subscription, slot: slot)
            if audiences[topic]?.members.isEmpty ?? false { audiences[topic] = nil }
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
}
