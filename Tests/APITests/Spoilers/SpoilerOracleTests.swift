import Foundation
import SharedByTests
import Testing

/// Random histories of a whole server, which compare the spoiler rule's table with lists, and streams with lists.
/// `LECTERN_TESTS=long` runs 8 times 2,500 steps.
@Suite("Random histories of notes, readers and clubs", .serialized)
struct SpoilerOracleTests {
    private static let steps = TestBudget.of(150, long: 2500)

    @Test(
        "Readers see exactly the notes whose thresholds they reach, and streams end with the content of the lists",
        arguments: TestBudget.seeds(2, long: 8))
    func histories(_ seed: UInt64) throws {
        let scenario = try OracleHistory(seed: seed)
        do {
            for number in 1...Self.steps { try scenario.take(number) }
        } catch let finding as OracleFinding {
            return report(finding, seed)
        }
        #expect(scenario.seen > 50 && scenario.withheld > 50 && scenario.resumed > 0)
    }

    private func report(_ finding: OracleFinding, _ seed: UInt64) {
        let shrunk = OracleShrinking(seed: seed, finding).shrunk(secondsMax: TestBudget.of(15, long: 120))
        Issue.record(
            """
            seed \(seed), step \(finding.step), reader R\(finding.reader), note \(finding.note.map { "N\($0)" } ?? "none"): \
            \(finding.what)
              \(finding.story.joined(separator: "\n  "))
            the same by the steps \(shrunk.steps): \(shrunk.finding.what)
              \(shrunk.finding.story.joined(separator: "\n  "))
            """)
    }
}
