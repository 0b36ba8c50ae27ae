package import Model

/// The observable models of one event loop. Confined to the loop's thread.
///
/// It asks nobody and calls nobody: `needs` says what must be known of a commit, `publish` takes it with the answers and says
/// what follows for each subscription, and `delivered` hears what became of that. Who does not take all is parked, and gets the
/// log later.
package final class ObservableModels {
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
        /// Events that were left out for who asked for the latest only.
        package var folded = 0
        /// Subscribers that were told to start anew.
        package var resets = 0
        /// Bytes of the representations that are held.
        package var cachedBytes = 0
    }

    /// The last change that has come in. Whoever reads the log for a subscription reads no further: what listens follows the
    /// commits up to here, not those that the database has already.
    package internal(set) var head: Int64
    /// What has happened.
    package var counters = Counters()

    let epoch: Epoch
    var representations: Representations
    /// What is watched, by what it is of.
    var models: [Topic: ObservableModel] = [:]
    /// How many of them are of cards, or of a kind as such: mostly none, and then no change looks for any.
    private(set) var composedCount = 0
    /// How many of them are of windows.
    private(set) var windowCount = 0
    /// All subscriptions.
    var everyone = Audience()
    /// Those that the commits of this turn have something for.
    var touched: [Subscription] = []

    /// The models of a loop that has heard of every commit up to `head`.
    package init(epoch: Epoch, head: Int64, cacheBytesMax: Int) {
        self.epoch = epoch
        self.head = head
        representations = Representations(bytesMax: cacheBytesMax)
    }

    /// Says that the log has been read up to `head` by who may have heard of less, before anybody subscribes.
    package func begin(at head: Int64) { self.head = max(self.head, head) }

    // MARK: Representations

    /// The latest representation of a resource; nil when it is not held.
    package func value(_ kind: ResourceKind, _ id: ResourceID) -> HeldRepresentation? {
        representations[kind, id] ?? models[.resource(kind, id)]?.latest
    }

    /// Holds a representation that was read.
    package func store(_ kind: ResourceKind, _ id: ResourceID, version: Int64, bytes: [UInt8], scope: Scope) {
        representations.hold(HeldRepresentation(version: version, bytes: bytes, scope: scope), of: kind, id)
        counters.cachedBytes = representations.bytes
    }

    // MARK: Subscriptions

    /// How many changes the one that is furthest behind has to be told.
    package var lag: Int {
        guard counters.parked > 0 else { return 0 }
        let cursors = everyone.members.lazy.map(\.subscription.state).filter { $0.phase == .parked }.map(\.cursor)
        return Int(head - min(head, cursors.min() ?? head))
    }

    /// Adds a subscription; it gets nothing before it is woken.
    package func subscribe(_ subscription: Subscription) {
        hold(subscription)
        everyone.add(subscription, slot: Subscription.everywhere)
        counters.subscriptions += 1
    }

    /// Takes a subscription away; a second time does nothing.
    package func cancel(_ subscription: Subscription) { _ = advance(subscription, .cancelled) }

    /// The socket takes bytes again. True when the log must be read, from the cursor to `head`; false when nothing was missed.
    /// One that is held has something to be done where it is.
    package func wake(_ subscription: Subscription, isHeld: Bool = false) -> Bool {
        advance(subscription, .woken(head: isHeld ? .max : target(of: subscription))) == .readLog
    }

    /// Where a subscription is live: where the models are, but not before it has been sent the id of what it began with. Its URLs may
    /// have been read as of changes that the models are about to hear of.
    func target(of subscription: Subscription) -> Int64 { max(head, subscription.marks?.target ?? 0) }

    /// Lets something happen to a subscription; audiences and counters follow it.
    func advance(_ subscription: Subscription, _ event: SubscriptionState.Event) -> SubscriptionState.Action {
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
            everyone.remove(subscription, slot: Subscription.everywhere)
            release(subscription.seats)
            subscription.seats = []
            counters.subscriptions -= 1
        }
        return action
    }

    /// Gives one part of a subscription other topics; it stays what it is, live or behind.
    func listen(_ subscription: Subscription, part: Int, to topics: [Topic]) {
        guard topics != subscription.topics(ofPart: part) else { return }
        var entering = subscription.parts
        for index in entering.indices { entering[index].entering = subscription.topics(ofPart: index) }
        entering[part].entering = topics
        reseat(subscription, entering)
    }

    /// Takes parts of a subscription away, and keeps the others as they are.
    package func keep(_ isKept: (Part) -> Bool, of subscription: Subscription) {
        var kept: [Part] = []
        for index in subscription.parts.indices where isKept(subscription.parts[index]) {
            var part = subscription.parts[index]
            part.entering = subscription.topics(ofPart: index)
            kept.append(part)
        }
        reseat(subscription, kept)
        if !subscription.owes { subscription.marks?.viewsThrough = nil }
    }

    /// Makes room for so many parts, and no more.
    package func reserve(_ count: Int, in subscription: Subscription) { subscription.parts.reserveCapacity(count) }

    /// Adds a part to a subscription that is not live.
    package func add(_ part: Part, to subscription: Subscription) {
        subscription.parts.append(part)
        hold(subscription)
    }

    private func reseat(_ subscription: Subscription, _ parts: [Part]) {
        let isLive = subscription.state.phase == .live
        if isLive { leave(subscription) }
        let former = subscription.seats
        (subscription.parts, subscription.seats) = (parts, [])
        hold(subscription)
        release(former)
        if isLive { join(subscription) }
    }

    private func join(_ subscription: Subscription) {
        for slot in subscription.seats.indices {
            let model = subscription.seats[slot].model
            model.join(subscription, slot: slot)
            // What a window tells begins with what it is known to show.
            if !model.serves(subscription, at: slot) { subscription.owe(at: slot) }
        }
    }

    private func leave(_ subscription: Subscription) {
        for slot in subscription.seats.indices { subscription.seats[slot].model.leave(subscription, slot: slot) }
    }

    /// Seats a subscription where its parts are to enter.
    private func hold(_ subscription: Subscription) {
        var seats: [Subscription.Seat] = []
        seats.reserveCapacity(subscription.parts.reduce(0) { $0 + $1.entering.count })
        for index in subscription.parts.indices {
            for topic in subscription.parts[index].entering {
                seats.append(Subscription.Seat(model: model(of: topic), place: -1, part: Int32(index)))
            }
            subscription.parts[index].entering = []
        }
        for seat in seats { seat.model.hold() }
        // Streams stay open: there is no more room than that.
        subscription.seats = subscription.seats.isEmpty ? seats : subscription.seats + seats
    }

    private func release(_ seats: [Subscription.Seat]) {
        for seat in seats {
            seat.model.letGo()
            forget(seat.model)
        }
    }

    /// The model of a topic, which it makes if need be. It observes those that it is made of.
    private func model(of topic: Topic) -> ObservableModel {
        if let model = models[topic] { return model }
        let model = ObservableModel(topic)
        models[topic] = model
        if isComposed(topic) { composedCount += 1 }
        if topic.shape != nil { windowCount += 1 }
        for part in observed(by: topic) { self.model(of: part).add(model) }
        return model
    }

    /// Forgets a model that nobody holds any more.
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

    private func isComposed(_ topic: Topic) -> Bool {
        switch topic {
        case .every: true
        case .feed, .presence, .day: false
        case .resource(let kind, _), .list(let kind, _), .filtered(let kind, _, _), .window(let kind, _, _):
            kind == .card
        }
    }

    /// The topics that the model of a topic observes: a filtered list and a window observe the list, cards their parts.
    private func observed(by topic: Topic) -> [Topic] {
        switch topic {
        case .filtered, .window: topic.unfiltered
        default: Card.observed(by: topic)
        }
    }
}
