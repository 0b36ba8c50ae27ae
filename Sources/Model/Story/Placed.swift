/// Within what places in a book are exact to each other.
public enum Frame: Sendable, Equatable {
    /// No edition was said.
    case unsaid
    /// A chapter was said, or a share of the story of which the chapters are known.
    case chapters
    /// So much of an edition.
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
    /// Where so much of an edition was said: how much of its own story that is, in billionths.
    public let part: Int64?
    /// Among all that is known by chapters: how much of the story lies before it at least, and at most, by all that was ever held
    /// true of its edition, in billionths; nil where its chapters are not known.
    public let least: Int64?
    public let most: Int64?
    /// Of a reader, for who reads by another measure: rounded down to where a chapter begins.
    public let floor: Progress
    /// Of a note, for who reads by another measure: rounded up to where its chapter ends; nil where chapters are not known.
    public let ceiling: Progress?
    /// Of a note: whether there is anything before it.
    let isBegun: Bool
    /// Of a note where chapters are not known: after what it opens to others.
    let highest: Progress

    init(
        share: Progress, page: Int32?, at: SaidPlace?, frame: Frame, part: Int64? = nil,
        depth: (least: Int64, most: Int64)? = nil, floor: Progress, ceiling: Progress?, highest: Progress? = nil,
        isBegun: Bool? = nil
    ) {
        (self.share, self.page, self.at, self.frame) = (share, page, at, frame)
        (self.part, least, most) = (part, depth?.least, depth?.most)
        (self.floor, self.ceiling) = (floor, ceiling)
        self.highest = highest ?? share
        self.isBegun = isBegun ?? (share > .none)
    }

    /// Of a reader: how far that is where places are exact to each other, the edition or, where no amount of it was said, its chapters.
    var inFrame: Int64? { part ?? least }
    /// Of a reader: how far it is by chapters, beside that.
    var leastByChapters: Int64? { part == nil ? nil : least }

    /// From where on who reads by another measure may read it.
    public func opensAt(slack: Progress) -> Progress {
        guard isBegun else { return .none }
        if let ceiling { return ceiling }
        // Who has read less of an edition, but not by a millionth, is not there.
        let more = max(slack.millionths, part == nil ? 0 : 1)
        return Progress(clamping: Int64(highest.millionths) + Int64(more))
    }
}
