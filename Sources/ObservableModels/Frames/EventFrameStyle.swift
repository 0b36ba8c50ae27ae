/// The format of a subscription's frames.
package enum EventFrameStyle: Sendable {
    /// Frames of a stream of one URL.
    case plain
    /// Frames of a response that is complete, not a stream. No frame is marked as the last of its transaction: the next
    /// response may have more of it.
    case unmarked
    /// Frames of a stream of several URLs: each event lists the names that it concerns. With `folds`, a subscription
    /// that is behind gets only the last of several updates of a resource.
    case named(folds: Bool)

    package var isNamed: Bool { if case .named = self { true } else { false } }

    package var folds: Bool { if case .named(true) = self { true } else { false } }
}
