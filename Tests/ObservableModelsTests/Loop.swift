import Model
import ObservableModels
import SharedByTests

/// A substitute for the models' event loop: it answers their look-ups, performs their effects, and reports the results.
final class Loop {
    let models: ObservableModels
    /// The first lines of each subscriber's frames.
    var frames: [UInt64: [String]] = [:]
    /// The events' names in those frames.
    var events: [UInt64: [String]] = [:]
    /// The result of sending frames to each subscriber, by default `taken`.
    var says: [UInt64: SubscriptionState.Delivery] = [:]
    /// The subscribers that are to read the log, in order.
    var resumed: [UInt64] = []
    var ended: [UInt64] = []
    /// The subscribers whose views are to be renewed.
    var owing: [UInt64] = []
    /// The changes for which something was looked up so far, in order.
    private(set) var asked: [Change] = []
    /// The results of look-ups; by default every reader sees a change, and no change makes others.
    var recipients: (Change, Set<Int64>) throws(RequestError) -> Set<Int64> = { $1 }
    var visibilityChanges: (Change) throws(RequestError) -> [Change] = { [$0] }
    var composed: (Change, WatchedComposites) throws(RequestError) -> [Change] = { _, _ in [] }

    init(head: Int64 = 0) {
        weak var loop: Loop?
        models = ObservableModels(
            epoch: LogEpoch(1), head: head, cacheBytesMax: 100_000,
            ChangeLookups(
                recipients: { change, readers throws(RequestError) in
                    loop?.asked.append(change)
                    return try loop?.recipients(change, readers) ?? []
                },
                visibilityChanges: { change throws(RequestError) in
                    loop?.asked.append(change)
                    return try loop?.visibilityChanges(change) ?? []
                },
                composed: { change, watched throws(RequestError) in
                    loop?.asked.append(change)
                    return try loop?.composed(change, watched) ?? []
                }, report: { _ in }))
        loop = self
    }

    func publish(_ changes: [Change]) {
        for effect in models.publish(Commit(changes: changes)) { _ = perform(effect) }
    }

    /// Delivers a page of the log, and returns whether another one is needed now.
    func replay(_ subscription: Subscription, _ changes: [Change]) throws(RequestError) -> Bool {
        let page = try models.page(changes, through: changes.last?.seq ?? models.head, for: subscription)
        return perform(models.sending(page, for: subscription)) == .readLog
    }

    @discardableResult
    private func perform(_ effect: DeliveryEffect) -> SubscriptionState.Action {
        switch effect {
        case .send(let subscription, let given, let through):
            guard !subscription.hasEnded else { return .none }
            let action = models.delivered(subscription, through: through, give(given, to: subscription.owner))
            switch action {
            case .readLog: if subscription.state.phase == .parked { resumed.append(subscription.owner) }
            case .end: ended.append(subscription.owner)
            case .none: if subscription.needsSnapshot { owing.append(subscription.owner) }
            }
            return action
        case .renew(let subscription):
            owing.append(subscription.owner)
            return .none
        }
    }

    private func give(_ given: [[UInt8]], to owner: UInt64) -> SubscriptionState.Delivery {
        guard !given.isEmpty else { return .taken }
        frames[owner, default: []] += given.map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) }
        for frame in given {
            let lines = String(decoding: frame, as: UTF8.self).split(separator: "\n")
            events[owner, default: []] += lines.filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
        }
        return says[owner] ?? .taken
    }
}
