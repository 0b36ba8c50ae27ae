import Model

/// The `event` of a frame.
package enum EventName: UInt8, Sendable, CaseIterable {
    case created
    case updated
    case deleted
    /// A resource came into a watched list.
    case enter
    /// A resource went out of a watched list.
    case leave
    /// It was there; the subscriber's reader has come to see it.
    case unlocked
    /// It is there; the subscriber's reader is not shown it any more.
    case hidden

    var text: StaticString {
        switch self {
        case .created: "created"
        case .updated: "updated"
        case .deleted: "deleted"
        case .enter: "enter"
        case .leave: "leave"
        case .unlocked: "unlocked"
        case .hidden: "hidden"
        }
    }

    /// That of a change, to who listens to no list.
    init(_ operation: ChangeOperation) {
        switch operation {
        case .created: self = .created
        case .updated: self = .updated
        case .deleted: self = .deleted
        case .unlocked: self = .unlocked
        case .hidden, .raised, .undone: self = .hidden
        case .moved: self = .updated
        }
    }
}
