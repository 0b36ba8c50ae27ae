/// The subscriptions of one topic, in no order. Joining and leaving take the same time however many there are.
struct Audience {
    private(set) var members: [(subscription: Subscription, slot: Int)] = []

    mutating func add(_ subscription: Subscription, slot: Int) {
        subscription.places[slot] = members.count
        members.append((subscription, slot))
    }

    mutating func remove(_ subscription: Subscription, slot: Int) {
        let place = subscription.places[slot]
        guard place >= 0 else { return }
        subscription.places[slot] = -1
        let last = members.removeLast()
        guard place < members.count else { return }
        members[place] = last
        last.subscription.places[last.slot] = place
    }
}
