import Model

/// What somebody watches on this loop: a resource, a list, or a feed. It exists from its first subscriber, or the first whole
/// that it is a part of, to its last.
final class ObservableModel {
    let topic: Topic
    /// The `seq` of the last change that went through it; 0 for none.
    private(set) var version: Int64 = 0
    /// Of a resource: what that change made of it. Nil before the first one, and when there is none any more.
    private(set) var latest: HeldRepresentation?
    /// The live subscriptions: who is behind costs nothing while changes pass.
    private(set) var audience = Audience()
    /// The topics of the models of cards that observe it.
    private(set) var cards: Set<Topic> = []
    /// Of a list: the models of what filters let through, which observe it.
    private(set) var filtered: [Topic: ObservableModel] = [:]
    /// Of a list: the models of its windows, which observe it.
    private(set) var windows: [Topic: ObservableModel] = [:]
    /// Of a window: which, and what it shows. Apart, because hardly any model is of one.
    let shown: ShownWindow?
    /// Subscriptions, live or behind, and models that observe it.
    private(set) var holders = 0

    init(_ topic: Topic) { (self.topic, shown) = (topic, topic.shape.map { ShownWindow($0) }) }

    /// Takes a change in and tells it to the subscribers, those who may be told of it where that depends on the reader.
    /// Those that have not been among the touched before come to be.
    func take(_ published: PublishedChange, _ told: Told?, _ touched: inout [Subscription]) {
        let differing = willChange(to: published.change)
        if let shown { return take(published, told, in: shown, &touched) }
        if !audience.members.isEmpty {
            let name = published.name(in: filter)
            for (subscription, slot) in audience.members {
                subscription.hear(published, at: slot, as: name, differing, told, &touched)
            }
        }
        for list in filtered.values { list.take(published, told, &touched) }
        for window in windows.values { window.take(published, told, &touched) }
    }

    /// From a change on, those who listen are given the log.
    func miss(_ change: Change, _ touched: inout [Subscription]) {
        if shown != nil { return breakUp(at: change.seq, &touched) }
        for (subscription, _) in audience.members { subscription.miss(change, &touched) }
        for list in filtered.values { list.miss(change, &touched) }
        for window in windows.values { window.miss(change, &touched) }
    }

    /// Adds the readers, by key, who are to be given a change now if they may be told of it.
    func addListeners(to seq: Int64, _ readers: inout Set<Int64>) {
        for (subscription, _) in audience.members where subscription.state.hears(seq) {
            readers.insert(subscription.viewer.readerKey)
        }
        for list in filtered.values { list.addListeners(to: seq, &readers) }
        for model in windows.values where model.shown?.window != nil {
            if let reader = model.shown?.shape.reader { readers.insert(reader) }
        }
    }

    /// Whether somebody hears it now.
    var isHeard: Bool {
        audience.members.contains { $0.subscription.state.missedFrom == nil }
            || filtered.values.contains(where: \.isHeard) || windows.values.contains { $0.shown?.window != nil }
    }

    private var filter: ListFilter? {
        if case .filtered(_, _, let filter) = topic { filter } else { nil }
    }

    /// Becomes what a change makes of it, and says which published fields differ: all of them where something comes or goes.
    func willChange(to change: Change) -> FieldSet {
        version = change.seq
        switch (topic, change.operation) {
        // What was there before is only shown to one reader more, or less.
        case (_, .unlocked), (_, .hidden), (_, .raised), (_, .undone): break
        case (.resource, _):
            latest = change.value.map { HeldRepresentation(version: change.seq, bytes: $0, scope: change.scope) }
        default: break
        }
        return change.operation == .updated ? change.changed : .all
    }

    func join(_ subscription: Subscription, slot: Int) { audience.add(subscription, slot: slot) }

    func leave(_ subscription: Subscription, slot: Int) { audience.remove(subscription, slot: slot) }

    // MARK: Who holds it

    func hold() { holders += 1 }

    func letGo() { holders -= 1 }

    /// Adds a model that observes it: of cards, or of a part of the list.
    func add(_ observer: ObservableModel) {
        hold()
        guard let kind = observer.topic.kind else { return }
        switch observer.topic {
        case .filtered: filtered[observer.topic] = observer
        case .window where kind == topic.kind: windows[observer.topic] = observer
        default: cards.insert(observer.topic)
        }
    }

    func remove(_ observer: ObservableModel) {
        letGo()
        guard filtered.removeValue(forKey: observer.topic) == nil, windows.removeValue(forKey: observer.topic) == nil
        else { return }
        cards.remove(observer.topic)
    }
}

extension FieldSet {
    /// All fields that there can be.
    static let all = FieldSet(rawValue: .max)
}
