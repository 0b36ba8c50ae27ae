/// Where a note opens: the two numbers that the gate compares. They are said when it is written, and rise only when somebody raises
/// them.
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
    /// Within what positions compare exactly, as a place where readers' steps are kept; nil for nothing.
    public internal(set) var frame: Int64?
    /// Who has come as far in that frame sees it.
    public internal(set) var inFrame: Progress?
    /// And so does who has come here anywhere.
    public internal(set) var share: Progress

    /// To everyone.
    public static let everyone = Opening(.everyone, .none)
    /// When the book is finished.
    public static let finished = Opening(.finished, .whole)

    private init(_ way: Way, _ share: Progress) { (self.way, self.share) = (way, share) }

    /// At a position in a frame, and for all others at a share of the story that lies no earlier. What is at its very beginning
    /// is open to everyone.
    public init(at position: Progress, in frame: Int64, forOthers share: Progress) {
        self.init(.position, .none)
        if position > .none { (self.frame, inFrame, self.share) = (frame, position, max(position, share)) }
    }

    /// The same of before it could be said.
    public var unsaid: Opening {
        var opening = self
        opening.way = nil
        return opening
    }

    /// The same as an export says it, which leaves out the frame of what names no edition: its book.
    public func inFrame(of book: Int64) -> Opening {
        var opening = self
        opening.frame = inFrame == nil ? nil : frame ?? book
        opening.share = max(share, inFrame ?? .none)
        return opening
    }

    public func raised(to share: Progress) -> Opening {
        var raised = self
        raised.inFrame = inFrame.map { max($0, share) }
        raised.share = max(self.share, share)
        if raised.share > self.share { raised.way = share == .whole ? .finished : .position }
        return raised
    }

    /// This one, or, where the other opens later, that: of two frames there is none that both compare in.
    public func noEarlier(than other: Opening) -> Opening {
        var later = share == .none ? other : self
        if share > .none, other.share > .none {
            let isSame = frame == other.frame
            later.frame = isSame ? frame : nil
            later.inFrame = isSame ? max(inFrame ?? .none, other.inFrame ?? .none) : nil
            later.share = max(share, other.share)
        }
        if later.frame == nil { later.inFrame = nil }
        let isFinished = way == .finished || other.way == .finished
        later.way = isFinished ? .finished : later.share == .none ? way ?? other.way ?? .everyone : .position
        return later
    }
}
