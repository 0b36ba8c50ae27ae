/// Histograms with the same bounds, one per row. One thread writes, any thread reads.
package final class Histograms: Sendable {
    /// The upper bounds of the buckets, inclusive and ascending.
    package let bounds: [Int]
    private let cells: CounterArray
    private let width: Int

    package init(rows: Int = 1, bounds: [Int]) {
        self.bounds = bounds
        // One more bucket for values above all bounds, the sum, and the greatest value.
        width = bounds.count + 3
        cells = CounterArray(count: rows * width)
    }

    package func record(_ value: Int, row: Int = 0) {
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        let first = row * width
        cells.add(first + bucket)
        cells.add(first + width - 2, value)
        if value > cells[first + width - 1] { cells.set(first + width - 1, value) }
    }

    /// The counts of a row.
    package subscript(row: Int) -> Counts {
        let first = row * width
        return Counts(
            buckets: (0...bounds.count).map { cells[first + $0] }, sum: cells[first + width - 2],
            greatest: cells[first + width - 1])
    }

    /// The counts of a histogram: one per bound, and one for values above the last.
    package struct Counts: Sendable, Equatable {
        package private(set) var buckets: [Int]
        package private(set) var sum: Int
        package private(set) var greatest: Int

        package var count: Int { buckets.reduce(0, +) }

        package init(buckets: [Int], sum: Int, greatest: Int) {
            (self.buckets, self.sum, self.greatest) = (buckets, sum, greatest)
        }

        /// Adds the counts of two histograms with the same bounds.
        package static func + (left: Counts, right: Counts) -> Counts {
            Counts(
                buckets: zip(left.buckets, right.buckets).map { $0 + $1 }, sum: left.sum &+ right.sum,
                greatest: max(left.greatest, right.greatest))
        }
    }
}

/// The bounds, in microseconds, of histograms of times.
package enum HistogramTimeBounds {
    /// The bounds for response times.
    package static let answer = [
        50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
        10_000_000,
    ]
    /// The bounds for the turns of a thread: the time for which it works before others have their turn.
    package static let turn = [100, 250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 250_000, 1_000_000]
}
