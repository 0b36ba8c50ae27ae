/// A position with its amounts and its share of the whole book.
public struct ResolvedPosition: Sendable, Equatable {
    /// The position as the client sent it; `nil` for a bare page or progress without an edition.
    public let position: Position?
    public let share: Progress
    /// The page of the position, if pages are known.
    public let page: Int32?
    /// The amount in the scale of the position.
    public let own: ScaleAmount
    /// The amount by chapters; `nil` if it is unknown, or if `own` is by chapters.
    public let chapters: ScaleAmount?
}
