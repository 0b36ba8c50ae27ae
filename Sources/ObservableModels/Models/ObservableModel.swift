import Model

/// A watched resource, list, feed or window on this loop. It exists from its first subscription or observing model to
/// its last.
final class ObservableModel {
    let topic: WatchTopic
    /// The live subscriptions. A subscription that is behind costs nothing while changes pass.
    private(set) var audience = SubscriptionSet()
    /// The topics of the models of composed resources that observe this model.
    private(set) var composites: Set<WatchTopic> = []
    /// The models of filtered lists that observe this list.
    private(set) var filtered: [WatchTopic: ObservableModel] = [:]
    /// The models of windows that observe this list.
    private(set) var windows: [WatchTopic: ObservableModel] = [:]
    /// The state of a window, or `nil` for other models. It is a separate object because few models are windows.
    let shown: WindowState?
    /// The number of subscriptions, live or behind, and of models that observe this model.
    private(set) var holders = 0

    init(_ topic: WatchTopic) { (self.topic, shown) = (topic, topic.shape.map { WindowState($0) }) }

    /// Applies a change and delivers it to the subscriptions. If visibility depends on the reader, only those who may
    /// see the change receive it. Adds the subscriptions to the touched ones.
    func take(_ published: PublishedChange, _ recipients: ChangeRecipients?, _ touched: inout [Subscription]) {
        if let shown { return take(published, recipients, in: shown, &touched) }
        if !audience.members.isEmpty {
            let name = published.name(in: filter)
            for (subscription, slot) in audience.members {
                subscription.receive(published, at: slot, as: name, recipients, &touched)
            }
        }
        for list in filtered.values { list.take(published, recipients, &touched) }
        for window in windows.values { window.take(published, recipients, &touched) }
    }

    /// Makes the live subscriptions read a change, and all later ones, from the log.
    func sendToLog(_ change: Change, _ touched: inout [Subscription]) {
        if shown != nil { return breakUp(at: change.seq, &touched) }
        for (subscription, _) in audience.members { subscription.sendToLog(change, &touched) }
        for list in filtered.values { list.sendToLog(change, &touched) }
        for window in windows.values { window.sendToLog(change, &touched) }
    }

    /// Adds the readers, by key, who get a change now if they may see it.
    func addListeners(to seq: Int64, _ readers: inout Set<Int64>) {
        for (subscription, _) in audience.members where subscription.state.receives(seq) {
            readers.insert(subscription.viewer.readerKey)
        }
        for list in filtered.values { list.addListeners(to: seq, &readers) }
        for model in windows.values where model.shown?.window != nil {
            if let reader = model.shown?.shape.reader { readers.insert(reader) }
        }
    }

    /// A Boolean value indicating whether a subscription or a window receives changes now.
    var isWatched: Bool {
        audience.members.contains { $0.subscription.state.missedFrom == nil }
            || filtered.values.contains(where: \.isWatched) || windows.values.contains { $0.shown?.window != nil }
    }

    private var filter: ListFilter? {
        if case .filtered(_, _, let filter) = topic { filter } else { nil }
    }

    func join(_ subscription: Subscription, slot: Int) { audience.add(subscription, slot: slot) }

    func leave(_ subscription: Subscription, slot: Int) { audience.remove(subscription, slot: slot) }

    // MARK: Holders

    func hold() { holders += 1 }

    func release() { holders -= 1 }

    /// Adds a model that observes this one: of composed resources, a filtered list or a window.
    func add(_ observer: ObservableModel) {
        hold()
        guard let kind = observer.topic.kind else { return }
        switch observer.topic {
        case .filtered: filtered[observer.topic] = observer
        case .window where kind == topic.kind: windows[observer.topic] = observer
        default: composites.insert(observer.topic)
        }
    }

    func remove(_ observer: ObservableModel) {
        release()
        guard filtered.removeValue(forKey: observer.topic) == nil, windows.removeValue(forKey: observer.topic) == nil
        else { return }
        composites.remove(observer.topic)
    }
}
