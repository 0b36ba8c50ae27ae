/// The subscriptions of one model, or all that there are, in no order. Joining and leaving take the same time however many
/// there are.
struct Audience {
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
