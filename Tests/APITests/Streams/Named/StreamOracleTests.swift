import Foundation
import JSON
import SharedByTests
import Synchronization
import Testing

/// Comparisons of streams with names and streams of single URLs. `LECTERN_TESTS=long` runs them at full size.
/// `STREAM_ORACLE_LOGS` names a directory for the events of a failure.
@Suite("Streams of several URLs compared with single streams", .serialized, .ownThreads)
struct StreamOracleTests {
    typealias Asked = StreamTrial.Asked

    static func names(_ urls: [String]) -> [String: Asked] {
        Dictionary(uniqueKeysWithValues: urls.enumerated().map { ("n\($0)", Asked(url: $1)) })
    }

    static func trial(
        _ scenario: StreamScenario, receiveBuffer: Int32? = nil, names: [String: Asked]? = nil
    ) throws -> StreamTrial {
        var names = names ?? Self.names(scenario.urls)
        let mark = "/v1/books/\(scenario.mark)"
        names["mark"] = Asked(url: mark)
        return try StreamTrial(
            scenario.service, token: scenario.ada, watching: names, urls: scenario.urls + names.values.map(\.url),
            receiveBuffer: receiveBuffer)
    }

    /// Makes Ada and Ben act concurrently, a number of times each.
    static func write(_ scenario: StreamScenario, _ count: Int, seed: UInt64) -> [Detached<String>] {
        [true, false].map { isAda in
            Thread.detach {
                var random = SeededGenerator(seed: seed &+ (isAda ? 1000 : 2000))
                do {
                    for _ in 0..<(isAda ? count : count / 4) {
                        if isAda { try scenario.adas(&random) } else { try scenario.bens(&random) }
                    }
                    return ""
                } catch { return "\(error)" }
            }
        }
    }

    static func expectNothing(_ problems: [String], _ comment: String = "") {
        #expect(problems.isEmpty, "\(comment) \(problems.count):\n\(problems.prefix(12).joined(separator: "\n"))")
    }

    @Test("A stream of 57 URLs, 20 of which are swapped repeatedly, sends the same as 57 streams")
    func swaps() throws {
        let (swaps, changes) = TestBudget.isLong ? (100, 10_000) : (15, 500)
        var random = SeededGenerator(seed: 57)
        let scenario = try StreamScenario(readings: 50)
        let trial = try Self.trial(scenario)
        let start = try StreamTrial.seq(scenario.service.head()) ?? 0
        // An entry also changes a reading, and a batch changes several rows.
        let writers = Self.write(scenario, changes * 2 / 5, seed: 57)
        var urls = Array(scenario.urls.prefix(50))
        for swap in 0..<swaps {
            let places = Array(urls.indices.shuffled(using: &random).prefix(20))
            let moved = places.map { urls[$0] }
            var names: [String: Asked?] = [:]
            for (index, place) in places.enumerated() {
                urls[place] = moved[(index + 1) % moved.count]
                names["n\(place)"] = Asked(url: urls[place])
            }
            try trial.patch(names)
            let seq = { (try? StreamTrial.seq(scenario.service.head())) ?? 0 }
            _ = eventually { seq() - start >= Int64(changes * swap / swaps) || writers.allSatisfy(\.isDone) }
        }
        for writer in writers { #expect(writer.value() == "") }
        Self.expectNothing(try trial.problems(mark: scenario.mark))
        let passed = (try StreamTrial.seq(scenario.service.head()) ?? 0) - start
        #expect(passed >= changes, "\(passed)")
    }
}
