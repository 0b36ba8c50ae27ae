/// How a subscription's frames are made.
package enum FrameStyle: Sendable {
    /// For a stream of one URL.
    case plain
    /// For an answer that holds them all: none is marked as the last of its transaction, because more of it may follow.
    case unmarked
    /// For a stream of several URLs: each event says the names that it concerns. Who `folds` is, when behind, told only the
    /// last of several updates of a resource.
    case named(folds: Bool)

    package var isNamed: Bool { if case .named = self { true } else { false } }

    package var folds: Bool { if case .named(true) = self { true } else { false } }
}
