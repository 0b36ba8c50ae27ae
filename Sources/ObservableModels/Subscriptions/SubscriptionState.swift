/// A subscription's place in the log, and the source of its next events. A pure state machine: it takes events and
/// returns actions.
package struct SubscriptionState: Equatable, Sendable {
    /// The outcome of sending frames.
    package enum Delivery: Sendable, CaseIterable {
        case taken
        /// The frames will be sent, but the socket takes no more until it has space.
        case kept
        case gone
    }

    package enum Action: Equatable, Sendable {
        case none
        /// The next page of the log must be read, after others have had their turn.
        case readLog
        /// The connection must be closed.
        case end
    }

    /// The change up to which the subscriber has, or does not want, everything. It does not move while the subscription
    /// is live.
    package private(set) var cursor: Int64
    /// The number of resources of the change after `cursor` that the subscriber has. See `ChangeLogCursor`.
    package private(set) var resourcesSent: Int
    /// The first change that a live subscription must read from the log.
    private(set) var missedFrom: Int64?
    package private(set) var phase = SubscriptionPhase.replaying
    private(set) var isOver = false

    init(cursor: Int64, resourcesSent: Int) { (self.cursor, self.resourcesSent) = (cursor, resourcesSent) }

    /// Returns whether the subscription receives a change that is published now.
    func receives(_ seq: Int64) -> Bool { seq > cursor && seq < missedFrom ?? .max && !isOver }

    mutating func take(_ event: SubscriptionStateInput) -> Action {
        guard phase != .ended else { return .none }
        switch event {
        case .woken(let head): return wake(head)
        case .read(let through, let resourcesSent, let head):
            guard phase == .replaying else { break }
            move(to: through)
            if resourcesSent > 0 { self.resourcesSent = resourcesSent }
            if through >= head { phase = .live }
        case .missed(let seq): if phase == .live, receives(seq) { missedFrom = seq }
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
            return .readLog
        }
        return phase == .replaying ? .readLog : .none
    }

    private mutating func park(at cursor: Int64) {
        (phase, missedFrom) = (.parked, nil)
        move(to: cursor)
    }

    private mutating func move(to cursor: Int64) {
        if cursor != self.cursor { (self.cursor, resourcesSent) = (cursor, 0) }
    }
}

package enum SubscriptionPhase: Sendable, CaseIterable {
    /// The subscription reads the log in pages, up to the end.
    case replaying
    /// The subscription receives each commit.
    case live
    /// The subscription receives nothing until the socket takes bytes again, and then reads the log.
    case parked
    case ended
}

package enum SubscriptionStateInput: Equatable, Sendable {
    /// The socket takes bytes. Commits up to `head` have been received.
    case woken(head: Int64)
    /// The log was read up to `through`, and the first `resourcesSent` resources of the change after it. Commits up to
    /// `head` have been received.
    case read(through: Int64, resourcesSent: Int = 0, head: Int64)
    /// A change cannot be delivered now, because there are too many bytes or a look-up failed.
    case missed(Int64)
    /// The watched resource ends with the next frames.
    case over
    /// Everything up to `through` was handed to the socket.
    case given(through: Int64, SubscriptionState.Delivery)
    case cancelled
}
