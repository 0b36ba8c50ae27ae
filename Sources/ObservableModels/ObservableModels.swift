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
    let projections: [Projection]
    var representations: Representations
    /// What is watched, by what it is of.
    var models: [Topic: ObservableModel] = [:]
    /// All subscriptions.
    var everyone = Audience()
    /// Those that the commits of this turn have something for.
    var touched: [Subscription] = []
    /// Those whose right has just gone, each with the last that it is told.
    var lost: [(subscription: Subscription, frame: [UInt8])] = []

    /// The models of a loop that has heard of every commit up to `head`.
    package init(epoch: Epoch, head: Int64, cacheBytesMax: Int, projections: [Projection] = Projection.all) {
        self.epoch = epoch
        self.head = head
        self.projections = projections
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

    /// Adds a subscription; it gets nothing before it is woken.
    package func subscribe(_ subscription: Subscription) {
        hold(subscription)
        counters.subscriptions += 1
    }

    /// Takes a subscription away; a second time does nothing.
    package func cancel(_ subscription: Subscription) { _ = advance(subscription, .cancelled) }

    /// The socket takes bytes again. True when the log must be read, from the cursor to `head`; false when nothing was missed.
    package func wake(_ subscription: Subscription) -> Bool { advance(subscription, .woken(head: head)) == .readLog }

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
            release(subscription)
            counters.subscriptions -= 1
        }
        return action
    }

    /// Gives a subscription other topics; it stays what it is, live or behind.
    func listen(_ subscription: Subscription, to topics: [Topic]) {
        guard topics != subscription.topics else { return }
        let isLive = subscription.state.phase == .live
        if isLive { leave(subscription) }
        release(subscription)
        subscription.topics = topics
        hold(subscription)
        if isLive { join(subscription) }
    }

    private func join(_ subscription: Subscription) {
        for (slot, model) in subscription.models.enumerated() { model.join(subscription, slot: slot) }
    }

    private func leave(_ subscription: Subscription) {
        for (slot, model) in subscription.models.enumerated() { model.leave(subscription, slot: slot) }
    }

    private func hold(_ subscription: Subscription) {
        let topics = subscription.topics
        subscription.places = Array(repeating: -1, count: topics.count + 1)
        subscription.models = topics.map { model(of: $0) }
        for model in subscription.models { model.holders += 1 }
        everyone.add(subscription, slot: topics.count)
    }

    private func release(_ subscription: Subscription) {
        everyone.remove(subscription, slot: subscription.topics.count)
        for model in subscription.models {
            model.holders -= 1
            letGo(model)
        }
        subscription.models = []
    }

    /// The model of a topic, which it makes if need be. That of a whole observes those of its parts.
    private func model(of topic: Topic) -> ObservableModel {
        if let model = models[topic] { return model }
        let model = ObservableModel(topic)
        models[topic] = model
        for (part, kind) in parts(of: topic) { self.model(of: part).add(whole: topic, of: kind) }
        return model
    }

    /// Lets go of a model that nobody holds any more.
    private func letGo(_ model: ObservableModel) {
        guard model.holders == 0 else { return }
        models[model.topic] = nil
        for (part, kind) in parts(of: model.topic) {
            guard let part = models[part] else { continue }
            part.remove(whole: model.topic, of: kind)
            letGo(part)
        }
    }

    func isWhole(_ kind: ResourceKind) -> Bool { projections.contains { $0.kind == kind } }

    /// What the model of a whole observes; nothing for what is none.
    private func parts(of whole: Topic) -> [(part: Topic, kind: ResourceKind)] {
        guard let projection = projections.first(where: { $0.kind == whole.kind }) else { return [] }
        return projection.parts.map { ($0.topic(of: whole), projection.kind) }
    }
}
