/// Where a note opens: the numbers that the gate compares. They are said when it is written, and rise only when somebody raises
/// them.
///
/// There are three ways to come to it, and who has come by one sees it. Within an edition amounts are compared, whatever is held
/// true of its chapters. Among all that is known by chapters it is where the note lies in the story at most; and for all others a
/// share of it.
public struct Opening: Sendable, Equatable {
    /// As it was said. The raw values are stored and sent.
    public enum Way: String, Storable, CaseIterable {
        /// Where it speaks of, or where it was raised to.
        case position
        /// When the book is finished.
        case finished
        case everyone
    }

    /// Nil of notes that were written before it could be said: these are sent as they always were.
    public internal(set) var way: Way?
    /// An edition, or, for what names none, the book, as a place where readers' steps are kept; nil for none.
    public internal(set) var frame: Int64?
    /// Who has come as far there sees it: in billionths of the edition, or millionths of the book.
    public internal(set) var inFrame: Int64?
    /// And so does who has come here by chapters, in billionths of the story; nil where they do not compare.
    public internal(set) var mostByChapters: Int64?
    /// And who has come here anywhere.
    public internal(set) var share: Progress

    /// To everyone.
    public static let everyone = Opening(.everyone, .none)
    /// When the book is finished.
    public static let finished = Opening(.finished, .whole)

    private init(_ way: Way, _ share: Progress) { (self.way, self.share) = (way, share) }

    /// At a position in a book of which no edition is said, and for all others at a share of the story that lies no earlier. What is
    /// at its very beginning is open to everyone.
    public init(at position: Progress, in book: Int64, forOthers share: Progress) {
        self.init(.position, .none)
        guard position > .none else { return }
        (frame, inFrame, self.share) = (book, Int64(position.millionths), max(position, share))
    }

    /// At a place, of which the frame is another place; for others at that share, or nowhere later than where it would be.
    public init(at placed: Placed, in place: Int64, forOthers share: Progress) {
        guard placed.frame != .unsaid else {
            self.init(at: placed.share, in: place, forOthers: share)
            return
        }
        self.init(kept: placed.part, in: place, byChapters: placed.most, forOthers: share)
    }

    /// At so much of an edition, or without that where it is by chapters alone.
    public init(kept part: Int64?, in edition: Int64, byChapters most: Int64?, forOthers share: Progress) {
        self.init(.position, .none)
        guard share > .none else { return }
        if let part { (frame, inFrame) = (edition, part) }
        (mostByChapters, self.share) = (most, share)
    }

    /// How far one must have come to it by the way that tells most, as a share.
    public var nearest: Progress {
        if let mostByChapters { return Progress(clamping: mostByChapters / 1000) }
        guard let inFrame else { return share }
        return Progress(clamping: isOfEdition ? inFrame / 1000 : inFrame)
    }

    /// Keys of books are less than any place of something else.
    private var isOfEdition: Bool { frame.map { $0 >> 60 != 0 } ?? false }

    /// The same of before it could be said.
    public var unsaid: Opening {
        var opening = self
        opening.way = nil
        return opening
    }

    /// The same as an export says it, which leaves out the frame of what names no edition: its book. What stands for chapters, or
    /// has lost how far it is there, is of before that was kept so.
    public func inFrame(of book: Int64) -> Opening {
        var opening = self
        opening.frame = inFrame == nil ? nil : frame ?? book
        if !opening.isOfEdition, let position = inFrame {
            opening.share = max(share, Progress(clamping: position))
        }
        opening.share = max(opening.share, Progress(clamping: (mostByChapters ?? 0) / 1000))
        return opening
    }

    /// To what an edition's amount is raised nobody can say: who reads it comes there as all others do.
    public func raised(to share: Progress) -> Opening {
        var raised = self
        raised.inFrame = isOfEdition ? nil : inFrame.map { max($0, Int64(share.millionths)) }
        if raised.inFrame == nil { raised.frame = nil }
        raised.mostByChapters = mostByChapters.map { max($0, Int64(share.millionths) * 1000) }
        raised.share = max(self.share, share)
        if raised.share > self.share || share == .whole { raised.way = share == .whole ? .finished : .position }
        return raised
    }

    /// The same with so much more between those who read by other numbers.
    public func later(by slack: Progress) -> Opening {
        var later = self
        if share > .none { later.share = Progress(clamping: Int64(share.millionths) + Int64(slack.millionths)) }
        return later
    }

    /// This one, or, where the other opens later, that: of two frames there is none that both compare in.
    public func noEarlier(than other: Opening) -> Opening {
        var later = share == .none ? other : self
        if share > .none, other.share > .none {
            let isSame = frame == other.frame
            later.frame = isSame ? frame : nil
            later.inFrame = isSame ? max(inFrame ?? 0, other.inFrame ?? 0) : nil
            later.mostByChapters = mostByChapters.flatMap { own in other.mostByChapters.map { max(own, $0) } }
            later.share = max(share, other.share)
        }
        if later.frame == nil { later.inFrame = nil }
        let isFinished = way == .finished || other.way == .finished
        later.way = isFinished ? .finished : later.share == .none ? way ?? other.way ?? .everyone : .position
        return later
    }
}
