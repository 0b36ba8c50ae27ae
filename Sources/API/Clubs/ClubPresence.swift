import Model

/// The present members of a club, by the keys of the readers.
struct ClubPresence {
    private(set) var members: [Int64: PresentMember] = [:]
    /// The cached list of visible members, or `nil` after a change.
    private var shown: (count: Int, first: [PresentMember.SharedPresence])?

    var isEmpty: Bool { members.isEmpty }

    subscript(reader: Int64) -> PresentMember? { members[reader] }

    /// Changes a member's presence. Returns `true` if the change is visible to others.
    mutating func change(_ reader: Int64, _ body: (inout PresentMember?) -> Void) -> Bool {
        let before = members[reader]?.shown
        body(&members[reader])
        if members[reader]?.leases.isEmpty ?? false { members[reader] = nil }
        guard members[reader]?.shown != before else { return false }
        shown = nil
        return true
    }

    /// Returns the number of visible members, and the first of them, the latest arrivals first.
    mutating func present(max: Int) -> (count: Int, first: [PresentMember.SharedPresence]) {
        if let shown { return shown }
        let seen = members.values.filter { $0.shown != nil }
        let order = seen.sorted {
            ($0.since.milliseconds, $0.member.reader.low) > ($1.since.milliseconds, $1.member.reader.low)
        }
        let present = (order.count, order.prefix(max).compactMap(\.shown))
        shown = present
        return present
    }
}
