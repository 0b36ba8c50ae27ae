import Foundation
import JSON
import SharedByTests
import Testing

/// Tests of streams with slow clients, with two clients, and with readers who lose access.
@Suite("Streams that fall behind, are taken over, and end", .serialized, .ownThreads)
struct StreamEndTests {
    typealias Asked = StreamTrial.Asked

    private func mark(_ scenario: StreamScenario) throws -> String {
        let title = "End \(UUID().uuidString)"
        #expect(
            try scenario.service.send("PATCH", "/v1/books/\(scenario.mark)", "{\"title\":\"\(title)\"}").status == 200)
        return title
    }

    @Test(
        "A client that does not read for a while gets each event once it reads again",
        arguments: TestBudget.seeds(1, long: 3))
    func slow(_ seed: UInt64) throws {
        let scenario = try StreamScenario(readings: 6)
        // Views are sent whole to slow clients, such as windows and standings, and merge nothing.
        let urls = scenario.readings.map { "/v1/readings/\($0)" } + ["/v1/readings/\(scenario.readings[0])/entries"]
        let names = StreamOracleTests.names(urls + ["/v1/readings?state=reading"])
        let trial = try StreamOracleTests.trial(scenario, receiveBuffer: 2048, names: names)
        for round in 0..<3 {
            trial.reader.pause()
            let writers = StreamOracleTests.write(scenario, 400, seed: seed &* 10 &+ UInt64(round))
            for writer in writers { #expect(writer.value() == "") }
            trial.reader.resume()
            if round == 1 { try trial.reader.open(scenario.service) }
            let title = try mark(scenario)
            #expect(trial.reader.wait { $0.events.contains { $0.data?.contains(title) ?? false } })
        }
        StreamOracleTests.expectNothing(try trial.problems(mark: scenario.mark), "seed \(seed)")
    }

    @Test(
        "A second connection continues where the first one was, and the first one gets the reason for its end",
        arguments: TestBudget.seeds(1, long: 3))
    func takeovers(_ seed: UInt64) throws {
        let scenario = try StreamScenario(readings: 6)
        let trial = try StreamOracleTests.trial(scenario)
        let writers = StreamOracleTests.write(scenario, 200, seed: seed)
        var kept: [StreamReader.Event] = []
        var reader = trial.reader
        for _ in 0..<12 {
            // This happens during the writes.
            let seen = reader.events.count
            _ = eventually { reader.events.count > seen + 3 || writers.allSatisfy(\.isDone) }
            let events = StreamLog.kept(reader.events + [StreamReader.Event(connection: .max)]).dropLast()
            kept += events.map { renumbered($0) }
            let next = try StreamReader(
                scenario.service, trial.path, lastID: kept.last { $0.id != nil }?.id)
            #expect(reader.wait { $0.events.last?.name == "taken" && !$0.isOpen })
            reader = next
        }
        for writer in writers { #expect(writer.value() == "") }
        let title = try mark(scenario)
        #expect(reader.wait { $0.events.contains { $0.data?.contains(title) ?? false } })
        var problems: [String] = []
        // The streams of one URL may be later, because they are on other event loops.
        _ = eventually {
            let singles = trial.singles.mapValues { SingleLog($0) }
            problems = StreamOracle(singles: singles, assignments: trial.assignments).problems(
                StreamLog(kept + reader.events.map { renumbered($0) }))
            return problems.isEmpty
        }
        StreamOracleTests.expectNothing(problems, "seed \(seed)")
    }

    private func renumbered(_ event: StreamReader.Event) -> StreamReader.Event {
        var event = event
        event.connection = 1
        return event
    }

    @Test(
        "Names of a club end with the membership, others continue, and can be watched again after a return")
    func memberships() throws {
        let scenario = try StreamScenario(readings: 3)
        let club = "/v1/clubs/\(scenario.clubs[0])"
        let urls = [
            "/v1/readings/\(scenario.bens[0])", "/v1/readings", "\(club)", "\(club)/notes", "\(club)/standings",
            "/v1/books/\(scenario.mark)",
        ]
        let trial = try StreamTrial(
            scenario.service, token: scenario.ben, watching: StreamOracleTests.names(urls), urls: urls)
        var random = SeededGenerator(seed: 9)
        for _ in 0..<30 { try scenario.bens(&random) }
        try scenario.move(0, in: false)
        for _ in 0..<10 { try scenario.bens(&random) }
        #expect(trial.reader.wait { $0.events.filter { $0.name == "gone" }.count == 3 })
        let log = StreamLog(trial.reader.events)
        #expect(log.lives.filter { $0.gone != nil }.map(\.name).sorted() == ["n2", "n3", "n4"])
        #expect(Set(log.lives.compactMap(\.gone)) == ["noLongerYours"])
        try scenario.move(0, in: true)
        for names in ["\"n2\":null,\"n3\":null", "\"n2\":\"\(club)\",\"n3\":\"\(club)/notes\""] {
            let again = try trial.service.send(
                "PATCH", "/v1/streams/\(trial.id)", "{\"watch\":{\(names)}}", token: scenario.ben)
            #expect(again.status == 200, "\(again.text)")
        }
        #expect(trial.reader.wait { StreamLog($0.events).lives.filter { $0.name == "n3" }.last?.items.count == 1 })
        StreamOracleTests.expectNothing(
            try trial.problems(mark: scenario.mark).filter { $0.hasPrefix("n0") || $0.hasPrefix("n1") })
    }

    @Test(
        "With its token a stream ends before further events and cannot be reopened; other readers cannot tell that it existed"
    )
    func revocation() throws {
        let scenario = try StreamScenario(readings: 3)
        let made = try scenario.service.send("POST", "/v1/tokens", "{\"name\":\"phone\"}", token: scenario.ada)
        let (id, token) = (made["id"]?.string ?? "", made["token"]?.string ?? "")
        let stream = try scenario.service.send(
            "POST", "/v1/streams", "{\"watch\":{\"a\":\"/v1/readings\"}}", token: token)
        let path = stream["url"]?.string ?? ""
        let reader = try StreamReader(scenario.service, path)
        #expect(reader.wait { $0.events.count >= 2 })
        #expect(try scenario.service.send("DELETE", "/v1/tokens/\(id)", token: scenario.ada).status == 204)
        let received = reader.events.filter { $0.data != nil && $0.name != "end" }.count
        _ = try scenario.service.make("/v1/readings", "{\"book\":\"\(scenario.mark)\"}", token: scenario.ada)
        #expect(reader.wait { !$0.isOpen })
        #expect(reader.events.filter { $0.data != nil && $0.name != "end" }.count == received)
        #expect(StreamLog(reader.events).endings == ["end {\"reason\":\"tokenRevoked\"}"])
        #expect(try scenario.service.send("GET", path, token: "", fields: ["Accept: text/event-stream"]).status == 204)
        let wrong = path.dropLast(4) + "AAAA"
        #expect(
            try scenario.service.send("GET", String(wrong), token: "", fields: ["Accept: text/event-stream"]).status
                == 404
        )
    }

    @Test(
        "A debounced name is sent at most once in its interval, after the last change, and then equals GET")
    func debounced() throws {
        let scenario = try StreamScenario(readings: 6)
        let names = Dictionary(
            uniqueKeysWithValues: scenario.urls.enumerated().map { ("n\($0)", Asked(url: $1, isDebounced: true)) })
        let trial = try StreamOracleTests.trial(scenario, names: names)
        let writers = StreamOracleTests.write(scenario, 200, seed: 5)
        for round in 0..<6 where !writers.allSatisfy(\.isDone) {
            let seen = trial.reader.events.count
            _ = eventually { trial.reader.events.count > seen + 5 || writers.allSatisfy(\.isDone) }
            if round % 2 == 0 { trial.reader.cut(after: 3000) } else { try trial.reader.open(scenario.service) }
        }
        for writer in writers { #expect(writer.value() == "") }
        try trial.reader.open(scenario.service)
        StreamOracleTests.expectNothing(try trial.problems(mark: scenario.mark))
    }
}
