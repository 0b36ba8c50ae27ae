/// The format of a subscription's frames.
package enum EventFrameStyle: Sendable {
    /// Frames of a stream of one URL.
    case plain
    /// Frames of a response that is complete, not a stream. No frame is marked as the last of its transaction: the next
    /// response may have more of it.
    case unmarked
    /// Frames of a stream of several URLs: each event lists the names that it concerns.
    case named

    package var isNamed: Bool { self == .named }
}
