/// A share of a book from 0 to 1, held as an exact number of millionths. Equal progress compares equal, and page 43 of
/// 100 is the same as 0.43.
public struct Progress: Hashable, Comparable, Sendable {
    /// The millionths, from 0 to 1,000,000.
    public let millionths: Int32

    /// The start of the book.
    public static let none = Progress(clamping: 0)
    /// The end of the book.
    public static let whole = Progress(clamping: 1_000_000)

    /// Creates progress from millionths, clamped to 0…1,000,000.
    public init(clamping millionths: Int64) {
        self.millionths = Int32(min(max(millionths, 0), 1_000_000))
    }

    /// Creates progress from a fraction, to the nearest millionth. Only exactly 1 gives the whole. Returns `nil`
    /// outside 0…1.
    public init?(_ fraction: Double) {
        guard fraction >= 0, fraction <= 1 else { return nil }
        let nearest = Int64((fraction * 1_000_000).rounded())
        self.init(clamping: fraction < 1 ? min(nearest, 999_999) : nearest)
    }

    /// Creates progress from a page of a book, or returns `nil` if the page is outside 0…`pageCount`.
    public init?(page: Int32, of pageCount: Int32) {
        guard pageCount > 0, (0...pageCount).contains(page) else { return nil }
        let nearest = (Int64(page) * 1_000_000 + Int64(pageCount) / 2) / Int64(pageCount)
        self.init(clamping: page < pageCount ? min(nearest, 999_999) : nearest)
    }

    /// Returns the page at this progress: the last one begun.
    public func page(of pageCount: Int32) -> Int32 {
        // Half a millionth of slack undoes the rounding of `init(page:of:)`.
        Int32((Int64(millionths) * Int64(pageCount) * 2 + Int64(pageCount)) / 2_000_000)
    }

    /// Returns whether the first progress is less.
    public static func < (left: Progress, right: Progress) -> Bool { left.millionths < right.millionths }
}
