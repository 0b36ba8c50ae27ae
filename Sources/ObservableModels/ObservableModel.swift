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
    /// The models of projections that observe it, by their kind.
    private(set) var wholes: [ResourceKind: Set<Topic>] = [:]
    /// Subscriptions, live or behind, and wholes.
    var holders = 0

    init(_ topic: Topic) { self.topic = topic }

    /// Takes a change in and tells it to the subscribers, those who may be told of it where that depends on the reader.
    /// Those that have not been among the touched before come to be.
    func take(_ published: PublishedChange, _ told: Told?, _ touched: inout [Subscription]) {
        let differing = willChange(to: published.change)
        for (subscription, _) in audience.members {
            subscription.hear(published, differing, told, &touched)
        }
    }

    /// Becomes what a change makes of it, and says which published fields differ: all of them where something comes or goes.
    func willChange(to change: Change) -> FieldSet {
        version = change.seq
        switch (topic, change.operation) {
        // What was there before is only shown to one more reader.
        case (_, .unlocked): break
        case (.resource, _):
            latest = change.value.map { HeldRepresentation(version: change.seq, bytes: $0, scope: change.scope) }
        default: break
        }
        return change.operation == .updated ? change.changed : .all
    }

    func join(_ subscription: Subscription, slot: Int) { audience.add(subscription, slot: slot) }

    func leave(_ subscription: Subscription, slot: Int) { audience.remove(subscription, slot: slot) }

    /// A whole observes it from now on.
    func add(whole: Topic, of kind: ResourceKind) {
        wholes[kind, default: []].insert(whole)
        holders += 1
    }

    func remove(whole: Topic, of kind: ResourceKind) {
        wholes[kind]?.remove(whole)
        if wholes[kind]?.isEmpty ?? false { wholes[kind] = nil }
        holders -= 1
    }
}

extension FieldSet {
    /// All fields that there can be.
    static let all = FieldSet(rawValue: .max)
}
