import Model

/// Who of a club reads now, by the keys of the readers.
struct PresenceRoom {
    private(set) var members: [Int64: Present] = [:]
    /// What is shown of it, made when somebody asks; nil once it has become another.
    private var shown: (count: Int, first: [Present.Shown])?

    var isEmpty: Bool { members.isEmpty }

    subscript(reader: Int64) -> Present? { members[reader] }

    /// Lets something happen to a member's presence. True when others see something else by it.
    mutating func change(_ reader: Int64, _ body: (inout Present?) -> Void) -> Bool {
        let before = members[reader]?.shown
        body(&members[reader])
        if members[reader]?.leases.isEmpty ?? false { members[reader] = nil }
        guard members[reader]?.shown != before else { return false }
        shown = nil
        return true
    }

    /// How many there are to see, and the first of them: those who came last.
    mutating func look(max: Int) -> (count: Int, first: [Present.Shown]) {
        if let shown { return shown }
        let seen = members.values.filter { $0.shown != nil }
        let order = seen.sorted { ($0.since.milliseconds, $0.reader.low) > ($1.since.milliseconds, $1.reader.low) }
        let look = (order.count, order.prefix(max).compactMap(\.shown))
        shown = look
        return look
    }
}
