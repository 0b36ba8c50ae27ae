import Foundation

/// The number of repetitions of random tests: a few in the suite, and the full number if `LECTERN_TESTS` is `long`, as
/// in `.ci/long`.
package enum TestBudget {
    package static let isLong = ProcessInfo.processInfo.environment["LECTERN_TESTS"] == "long"

    /// Returns the number for this run.
    package static func of<Number>(_ suite: Number, long: Number) -> Number { isLong ? long : suite }

    /// Returns the first seeds for this run.
    package static func seeds(_ suite: UInt64, long: UInt64) -> ClosedRange<UInt64> { 1...of(suite, long: long) }
}
