/// How far a subscription is, and how it gets what comes. Pure: events in, what is to be done out.
package struct SubscriptionState: Equatable, Sendable {
    package enum Phase: Sendable, CaseIterable {
        /// It gets the log, in pages, up to its end.
        case replaying
        /// It gets each commit.
        case live
        /// It gets nothing until the socket takes bytes again; then the log.
        case parked
        case ended
    }

    /// What became of frames.
    package enum Delivery: Sendable, CaseIterable {
        case taken
        /// They will be sent, but no more is taken until the socket has room.
        case kept
        case gone
    }

    package enum Event: Equatable, Sendable {
        /// The socket takes bytes; the commits up to `head` have been heard.
        case woken(head: Int64)
        /// The log has been read up to `through`, and so many `parts` of the change after it; the commits up to `head` have been heard.
        case read(through: Int64, parts: Int = 0, head: Int64)
        /// A change that cannot be given now: there is too much, or it is not known what it has for the subscription.
        case missed(Int64)
        /// What the subscription shows ends with what it is given next.
        case over
        /// Everything up to `through` has been handed over.
        case given(through: Int64, Delivery)
        case cancelled
    }

    package enum Action: Equatable, Sendable {
        case none
        /// The next page of the log is wanted.
        case readLog
        /// It is to be woken soon, after others have had their turn.
        case goOn
        /// Its connection is to be ended.
        case end
    }

    package private(set) var phase = Phase.replaying
    /// While it is parked, and until it has been given of the log: whether it was live before, rather than on its way.
    package private(set) var fellBehind = false
    /// Everything up to here it has, or does not want. While it is live it has what has been heard since, too, and this stays.
    package private(set) var cursor: Int64
    /// So many parts of the change after it, too.
    package private(set) var parts: Int
    /// Of a live one: the first change that it has to get from the log.
    private(set) var missedFrom: Int64?
    private(set) var isOver = false

    init(cursor: Int64, parts: Int) { (self.cursor, self.parts) = (cursor, parts) }

    /// Whether it is to be given a change that comes now.
    func hears(_ seq: Int64) -> Bool { seq > cursor && seq < missedFrom ?? .max && !isOver }

    mutating func take(_ event: Event) -> Action {
        guard phase != .ended else { return .none }
        switch event {
        case .woken(let head): return wake(head)
        case .read(let through, let parts, let head):
            guard phase == .replaying else { break }
            fellBehind = false
            move(to: through)
            if parts > 0 { self.parts = parts }
            if through >= head { phase = .live }
        case .missed(let seq): if phase == .live, hears(seq) { missedFrom = seq }
        case .over: (isOver, missedFrom) = (true, nil)
        case .given(let through, let delivery): return settle(through, delivery)
        case .cancelled: phase = .ended
        }
        return .none
    }

    private mutating func wake(_ head: Int64) -> Action {
        guard phase != .live else { return .none }
        phase = cursor >= head ? .live : .replaying
        return phase == .live ? .none : .readLog
    }

    private mutating func settle(_ through: Int64, _ delivery: Delivery) -> Action {
        let missed = missedFrom
        if delivery == .kept { park(at: max(cursor, through)) }
        if delivery == .gone || isOver {
            phase = .ended
            return delivery == .gone ? .none : .end
        }
        guard delivery == .taken else { return .none }
        if phase == .live, let missed {
            park(at: missed - 1)
            return .goOn
        }
        return phase == .replaying ? .readLog : .none
    }

    private mutating func park(at cursor: Int64) {
        if phase != .parked { fellBehind = phase == .live }
        (phase, missedFrom) = (.parked, nil)
        move(to: cursor)
    }

    private mutating func move(to cursor: Int64) {
        if cursor != self.cursor { (self.cursor, parts) = (cursor, 0) }
    }
}
