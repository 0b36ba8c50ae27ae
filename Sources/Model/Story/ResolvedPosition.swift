/// A position with its amounts and the plain share of the book that lies before it.
public struct ResolvedPosition: Sendable, Equatable {
    /// The position as it was said; nil of a bare page or progress in no edition.
    public let position: Position?
    public let share: Progress
    /// The page of the position, where pages are known.
    public let page: Int32?
    /// The amount in the scale in which it was said.
    public let own: ScaleAmount
    /// The amount by chapters; nil where it is not known so, or was said so.
    public let chapters: ScaleAmount?

    /// The amount in which notes are compared.
    public var exact: ScaleAmount { chapters ?? own }
}
