/// The live subscriptions of one model, in no order. Adding and removing one takes constant time.
struct SubscriptionSet {
    private(set) var members: [(subscription: Subscription, slot: Int)] = []

    mutating func add(_ subscription: Subscription, slot: Int) {
        subscription.registrations[slot].place = Int32(members.count)
        members.append((subscription, slot))
    }

    mutating func remove(_ subscription: Subscription, slot: Int) {
        let place = Int(subscription.registrations[slot].place)
        guard place >= 0 else { return }
        subscription.registrations[slot].place = -1
        let last = members.removeLast()
        guard place < members.count else { return }
        members[place] = last
        last.subscription.registrations[last.slot].place = Int32(place)
    }
}
