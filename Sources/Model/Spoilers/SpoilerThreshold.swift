/// The place where a note becomes visible: an amount of a scale, and a share of the book for all other scales.
///
/// A reader sees the note once their furthest amount in `scale` reaches `at`, or their furthest share of the book
/// reaches `share`.
public struct SpoilerThreshold: Sendable, Equatable {
    /// The key of the scale (the table `scales`), or `nil` for none.
    public internal(set) var scale: Int64?
    /// The amount in the scale, or `nil` without one.
    public internal(set) var at: Int64?
    public internal(set) var share: Progress

    public static let everyone = SpoilerThreshold(at: nil, share: .none)
    public static let finished = SpoilerThreshold(at: nil, share: .whole)

    /// Creates a threshold at an amount of a scale, and at a share for all other scales. A note at the very beginning
    /// is visible to everyone.
    public init(at exact: (scale: Int64, amount: Int64)?, share: Progress) {
        self.share = share
        if share > .none { (scale, at) = (exact?.scale, exact?.amount) }
    }

    public var kind: SpoilerThresholdKind {
        guard scale == nil else { return .position }
        return share == .none ? .everyone : share == .whole ? .finished : .position
    }

    /// Returns the threshold with a club's slack: for all other scales it is later by that share, at most at the end.
    /// The very beginning stays.
    public func adding(_ slack: Progress) -> SpoilerThreshold {
        guard share > .none else { return self }
        var threshold = self
        threshold.share = Progress(clamping: Int64(share.millionths) + Int64(slack.millionths))
        return threshold
    }

    /// Returns this threshold raised to another one: to the later amount within a scale, otherwise to the greater share
    /// in no scale.
    public func raised(to other: SpoilerThreshold) -> SpoilerThreshold {
        guard share > .none else { return other }
        guard other.share > .none else { return self }
        var raised = SpoilerThreshold(at: nil, share: max(share, other.share))
        if let at, let later = other.at, scale == other.scale { (raised.scale, raised.at) = (scale, max(at, later)) }
        return raised
    }

    /// Returns whether some readers would see a note earlier with this threshold than with the other one.
    public func isEarlier(than other: SpoilerThreshold) -> Bool {
        if let at, let now = other.at, scale == other.scale { return at < now }
        return share < other.share
    }
}

/// The kinds of threshold in requests and notes. The raw values are stored and sent.
public enum SpoilerThresholdKind: String, StorableValue, CaseIterable {
    /// The position of the note, or the one to which the threshold was raised.
    case position
    /// The end of the book.
    case finished
    case everyone
}
