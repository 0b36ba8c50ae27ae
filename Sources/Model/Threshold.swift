/// Where a note becomes visible: at an amount of a scale, or anywhere at a share of the book.
///
/// A reader sees the note from the moment that their mark in `scale` reaches `at`, or their mark in the book reaches `share`.
public struct Threshold: Sendable, Equatable {
    /// How requests and notes say it. The raw values are stored and sent.
    public enum Word: String, Storable, CaseIterable {
        /// Where the note speaks of, or where it was raised to.
        case position
        /// When the book is finished.
        case finished
        case everyone
    }

    /// The key of the scale (the table `scales`); nil for none.
    public internal(set) var scale: Int64?
    /// Nil without a scale.
    public internal(set) var at: Int64?
    public internal(set) var share: Progress

    public static let everyone = Threshold(at: nil, share: .none)
    public static let finished = Threshold(at: nil, share: .whole)

    /// At an amount of a scale, and for everybody else at a share. A note at the very beginning is for everyone.
    public init(at exact: (scale: Int64, amount: Int64)?, share: Progress) {
        self.share = share
        if share > .none { (scale, at) = (exact?.scale, exact?.amount) }
    }

    /// At a position: everybody in another scale sees it so much later.
    public init(at exact: (scale: Int64, amount: Int64)?, share: Progress, slack: Progress) {
        self.init(at: exact, share: share.adding(slack))
    }

    public var word: Word {
        guard scale == nil else { return .position }
        return share == .none ? .everyone : share == .whole ? .finished : .position
    }

    /// The same with a club's slack, for a note that was private and had none.
    public func adding(_ slack: Progress) -> Threshold {
        var threshold = self
        threshold.share = share.adding(slack)
        return threshold
    }

    /// This threshold raised to another one: within a scale to the later amount, and else to the greater share, in no scale.
    public func raised(to other: Threshold) -> Threshold {
        guard share > .none else { return other }
        guard other.share > .none else { return self }
        var raised = Threshold(at: nil, share: max(share, other.share))
        if let at, let later = other.at, scale == other.scale { (raised.scale, raised.at) = (scale, max(at, later)) }
        return raised
    }

    /// Whether some readers would see a note earlier if it had this threshold in place of the other one.
    public func isEarlier(than other: Threshold) -> Bool {
        if let at, let now = other.at, scale == other.scale { return at < now }
        return share < other.share
    }
}

extension Progress {
    /// The share so much later, but no later than the whole. The very beginning stays.
    fileprivate func adding(_ slack: Progress) -> Progress {
        guard self > .none else { return .none }
        return Progress(clamping: Int64(millionths) + Int64(slack.millionths))
    }
}
