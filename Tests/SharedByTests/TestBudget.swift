import Foundation

/// How often tests repeat what they do with other random numbers: a few times in the suite, and as often as was promised where
/// `LECTERN_TESTS` is `long`, as `.ci/long` sets it.
package enum TestBudget {
    package static let isLong = ProcessInfo.processInfo.environment["LECTERN_TESTS"] == "long"

    /// Returns the number for this run.
    package static func of<Number>(_ suite: Number, long: Number) -> Number { isLong ? long : suite }

    /// Returns the first seeds, so many.
    package static func seeds(_ suite: UInt64, long: UInt64) -> ClosedRange<UInt64> { 1...of(suite, long: long) }
}
