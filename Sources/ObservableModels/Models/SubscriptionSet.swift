/// The subscriptions of one model, or of the whole loop, in no order. Adding and removing one takes constant time.
struct SubscriptionSet {
    private(set) var members: [(subscription: Subscription, slot: Int)] = []

    mutating func add(_ subscription: Subscription, slot: Int) {
        subscription[placeAt: slot] = members.count
        members.append((subscription, slot))
    }

    mutating func remove(_ subscription: Subscription, slot: Int) {
        let place = subscription[placeAt: slot]
        guard place >= 0 else { return }
        subscription[placeAt: slot] = -1
        let last = members.removeLast()
        guard place < members.count else { return }
        members[place] = last
        last.subscription[placeAt: last.slot] = place
    }
}
