/// How often values fell between bounds, in so many rows. Written by one thread, read by any.
package final class Histograms: Sendable {
    /// Ascending, each with what is no greater.
    package let bounds: [Int]
    private let cells: Tallies
    private let width: Int

    package init(rows: Int = 1, bounds: [Int]) {
        self.bounds = bounds
        // What is greater than all of them, and the sum.
        width = bounds.count + 2
        cells = Tallies(count: rows * width)
    }

    package func note(_ value: Int, row: Int = 0) {
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        cells.add(row * width + bucket)
        cells.add(row * width + width - 1, value)
    }

    /// What has been noted in a row.
    package subscript(row: Int) -> Counts {
        let first = row * width
        return Counts(buckets: (0...bounds.count).map { cells[first + $0] }, sum: cells[first + width - 1])
    }

    /// What was noted: how much between each bound and the one before, and beyond the last.
    package struct Counts: Sendable, Equatable {
        package private(set) var buckets: [Int]
        package private(set) var sum: Int

        package var count: Int { buckets.reduce(0, +) }

        package init(buckets: [Int], sum: Int) { (self.buckets, self.sum) = (buckets, sum) }

        /// What several have noted between the same bounds.
        package static func + (left: Counts, right: Counts) -> Counts {
            Counts(buckets: zip(left.buckets, right.buckets).map { $0 + $1 }, sum: left.sum &+ right.sum)
        }
    }
}

/// Microseconds that histograms of times are divided by.
package enum TimeBounds {
    /// Of an answer.
    package static let answer = [
        50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
        10_000_000,
    ]
}
