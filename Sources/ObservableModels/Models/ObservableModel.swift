import Model

/// A watched resource, list, feed or window on this loop. It exists from its first subscription or observing model to
/// its last.
final class ObservableModel {
    let topic: WatchTopic
    /// The live subscriptions, each with the index of its registration, in no order. A subscription that is behind costs
    /// nothing while changes pass.
    private(set) var audience: [(subscription: Subscription, registration: Int)] = []
    /// The topics of the models of composed resources that observe this model.
    private(set) var composites: Set<WatchTopic> = []
    /// The models of filtered lists and of windows that observe this list.
    private(set) var selections: [WatchTopic: ObservableModel] = [:]
    /// The state of a window, or `nil` for other models. It is a separate object because few models are windows.
    let shown: WindowState?
    /// The number of subscriptions, live or behind, and of models that observe this model.
    var holders = 0

    init(_ topic: WatchTopic) { (self.topic, shown) = (topic, topic.shape.map { WindowState($0) }) }

    /// Applies a change and delivers it to the subscriptions. If visibility depends on the reader, only `readers`
    /// receive it. Adds the subscriptions to the touched ones.
    func take(_ published: PublishedChange, _ readers: Set<Int64>?, _ touched: inout [Subscription]) {
        if let shown { return take(published, readers, in: shown, &touched) }
        if !audience.isEmpty {
            let name = published.name(in: filter)
            var only: [PendingEvent] = []
            for (subscription, registration) in audience {
                subscription.receive(published, at: registration, as: name, readers, sharing: &only, &touched)
            }
        }
        for selection in selections.values { selection.take(published, readers, &touched) }
    }

    /// Makes the live subscriptions read a change, and all later ones, from the log.
    func sendToLog(_ change: Change, _ touched: inout [Subscription]) {
        if shown != nil { return breakUp(at: change.seq, &touched) }
        for (subscription, _) in audience { subscription.sendToLog(change, &touched) }
        for selection in selections.values { selection.sendToLog(change, &touched) }
    }

    /// Adds the readers, by key, who get a change now if they may see it.
    func addListeners(to seq: Int64, _ readers: inout Set<Int64>) {
        if let shown {
            if shown.window != nil, let reader = shown.shape.reader { readers.insert(reader) }
            return
        }
        readers.reserveCapacity(readers.count + audience.count)
        for (subscription, _) in audience where subscription.state.receives(seq) {
            readers.insert(subscription.viewer.readerKey)
        }
        for selection in selections.values { selection.addListeners(to: seq, &readers) }
    }

    /// A Boolean value indicating whether a subscription or a window receives changes now.
    var isWatched: Bool {
        if let shown { return shown.window != nil }
        return audience.contains { $0.subscription.state.missedFrom == nil }
            || selections.values.contains(where: \.isWatched)
    }

    private var filter: ListFilter? {
        if case .filtered(_, _, let filter) = topic { filter } else { nil }
    }

    /// Adds a subscription to the live ones, in constant time.
    func join(_ subscription: Subscription, registration: Int) {
        subscription.registrations[registration].audienceIndex = Int32(audience.count)
        audience.append((subscription, registration))
    }

    /// Removes a subscription from the live ones, in constant time.
    func leave(_ subscription: Subscription, registration: Int) {
        let index = Int(subscription.registrations[registration].audienceIndex)
        guard index >= 0 else { return }
        subscription.registrations[registration].audienceIndex = -1
        let last = audience.removeLast()
        guard index < audience.count else { return }
        audience[index] = last
        last.subscription.registrations[last.registration].audienceIndex = Int32(index)
    }

    /// Adds a model that observes this one: of a filtered list or a window, which has the same kind, or of composed
    /// resources.
    func add(_ observer: ObservableModel) {
        holders += 1
        if observer.topic.kind == topic.kind {
            selections[observer.topic] = observer
        } else {
            composites.insert(observer.topic)
        }
    }

    func remove(_ observer: ObservableModel) {
        holders -= 1
        if selections.removeValue(forKey: observer.topic) == nil { composites.remove(observer.topic) }
    }
}
