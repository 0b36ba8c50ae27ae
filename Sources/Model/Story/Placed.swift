/// Within what shares of a story are exact to each other.
public enum Frame: Sendable, Equatable {
    /// No edition was said.
    case unsaid
    /// The chapter is known.
    case chapters
    /// One edition of which nobody said where its chapters begin.
    case edition
}

/// A place as it was said, with what it means in the story.
public struct Placed: Sendable, Equatable {
    /// How much of the story lies before it.
    public let share: Progress
    /// The page that goes with it, where pages are known.
    public let page: Int32?
    /// As it was said; nil of what was said in short, in no edition.
    public let at: SaidPlace?
    public let frame: Frame
    /// Of a reader, for who reads by another measure: rounded down to where a chapter begins.
    public let floor: Progress
    /// Of a note, for who reads by another measure: rounded up to where its chapter ends; nil where chapters are not known.
    public let ceiling: Progress?

    /// From where on who reads by another measure may read it.
    public func opensAt(slack: Progress) -> Progress {
        guard share > .none else { return .none }
        return ceiling ?? Progress(clamping: Int64(share.millionths) + Int64(slack.millionths))
    }
}
