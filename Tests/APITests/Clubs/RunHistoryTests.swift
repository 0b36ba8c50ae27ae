import API
import Foundation
import JSON
import SharedByTests
import Testing

/// Random histories of a club's runs, whose lists and streams are compared with a second implementation of the rules.
@Suite("Histories of runs")
struct RunHistoryTests {
    @Test(
        "Lists and streams of a run contain only its own rows, however often the club reads the book",
        arguments: TestBudget.seeds(2, long: 4))
    func histories(_ seed: UInt64) throws {
        var history = try RunHistory(seed: seed)
        for _ in 0..<5 {
            for _ in 0..<100 { try history.step() }
            try history.check()
        }
    }
}
