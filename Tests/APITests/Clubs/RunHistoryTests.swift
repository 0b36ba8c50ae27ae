import API
import Foundation
import JSON
import SharedByTests
import Testing

/// Random histories of a club's runs, whose lists and streams are compared with a second implementation of the rules.
@Suite("Histories of runs")
struct RunHistoryTests {
    @Test(
        "Each run has what is of it, in lists and on streams, however often a book is read",
        arguments: TestBudget.seeds(2, long: 4))
    func histories(_ seed: UInt64) throws {
        var history = try RunHistory(seed: seed)
        for _ in 0..<5 {
            for _ in 0..<100 { try history.step() }
            try history.check()
        }
    }
}
