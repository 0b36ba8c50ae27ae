/// The unit of a reading's pace: that of its edition, or else pages, or else shares of the story.
public struct ReadingPaceMeasure: Sendable {
    /// The unit, or `nil` for shares of the story.
    public let unit: EditionUnit?
    private let resolver: PositionResolver
    private let pageCount: Int64?

    /// Creates the unit of a reading. `pageCount` is used only without an edition.
    public init(_ resolver: PositionResolver, pageCount: Int32?) {
        self.resolver = resolver
        self.pageCount = resolver.edition == nil ? pageCount.map(Int64.init) : nil
        unit = resolver.edition?.unit ?? pageCount.map { _ in .page }
    }

    /// Returns the amount of the whole edition, front matter included, up to a share, in millionths of the unit. Pages
    /// and locations are whole numbers.
    public func amount(at share: Progress) -> Int64 {
        let share = share.millionths
        switch resolver.value(at: Progress(clamping: Int64(share))) {
        case .page(let page)?: return Int64(page) * 1_000_000
        case .location(let location)?: return location * 1_000_000
        case .seconds(let seconds)?: return seconds.thousandths * 1000
        case .progress(let percents)?: return Int64(percents.millionths) * 100
        case .chapter?, nil: break
        }
        guard let pageCount else { return Int64(share) }
        // Half a millionth of slack undoes the rounding of `Progress.init(page:of:)`.
        let twice = max(0, 2 * Int64(share) * pageCount - pageCount)
        return (twice + 1_999_999) / 2_000_000 * 1_000_000
    }
}
