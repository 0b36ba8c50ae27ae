import Model
import ObservableModels

/// A substitute for the models' event loop: it answers their needs, performs their effects, and reports the results.
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
    /// The needs so far.
    var asked: [CommitLookup] = []
    var answer: (CommitLookup) -> Result<CommitLookupAnswer, RequestError> = { need in
        switch need.question {
        case .recipients(let readers): .success(.readers(readers))
        case .unlocked: .success(.changes([need.change]))
        case .composed: .success(.changes([]))
        case .successors: .failure(.notFound)
        }
    }

    init(head: Int64 = 0) {
        models = ObservableModels(epoch: LogEpoch(1), head: head, cacheBytesMax: 100_000)
    }

    private func answers(_ needs: [CommitLookup]) -> [CommitLookupResult] {
        asked += needs
        return needs.map { CommitLookupResult($0, answer($0)) }
    }

    func publish(_ changes: [Change]) {
        let commit = Commit(changes: changes)
        for effect in models.publish(commit, answers(models.needs(of: commit))) { _ = perform(effect) }
    }

    /// Delivers a page of the log, and returns whether another one is needed now.
    func replay(_ subscription: Subscription, _ changes: [Change]) throws(RequestError) -> Bool {
        let known = answers(models.needs(of: changes, for: subscription))
        let page = try models.page(changes, known, through: changes.last?.seq ?? models.head, for: subscription)
        return perform(models.sending(page, for: subscription)) == .readLog
    }

    @discardableResult
    private func perform(_ effect: DeliveryEffect) -> SubscriptionState.Action {
        switch effect {
        case .end(let subscription):
            models.cancel(subscription)
            ended.append(subscription.owner)
            return .end
        case .send(let subscription, let given, let through):
            guard !subscription.hasEnded else { return .none }
            let action = models.delivered(subscription, through: through, give(given, to: subscription.owner))
            switch action {
            case .proceed: resumed.append(subscription.owner)
            case .end: ended.append(subscription.owner)
            case .none: if subscription.needsSnapshot { owing.append(subscription.owner) }
            case .readLog: break
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
