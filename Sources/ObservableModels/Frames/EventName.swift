import Model

/// The `event` field of a frame.
package enum EventName: UInt8, Sendable, CaseIterable {
    case created
    case updated
    case deleted
    /// A resource entered a watched list.
    case enter
    /// A resource left a watched list.
    case leave
    /// An existing resource became visible to the subscriber's reader.
    case unlocked
    /// An existing resource became invisible to the subscriber's reader.
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

    /// Creates the name of a change for subscribers that watch no list.
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
