import Foundation

/// The scenarios that measure one server.
struct BenchScenarios {
    let server: BenchServer
    let seconds: Double
    let repetitions: Int

    /// Runs the named scenarios, or all. Repetitions alternate between scenarios, to spread a slow minute of the
    /// machine over several of them.
    func run(_ names: [String]) throws {
        func wants(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
        let (books, readings) = try setUp()
        var scenarios: [(name: String, run: () throws -> BenchResult)] = []
        if wants("get") {
            let requests = books.map { server.request("GET", "/v1/books/\($0)") }
            scenarios.append(("get", { server.load(requests, seconds: seconds) }))
        }
        if wants("list") {
            let request = server.request("GET", "/v1/books?limit=20")
            scenarios.append(("list", { server.load([request], seconds: seconds) }))
        }
        if wants("post") { scenarios.append(("post", { try post(readings) })) }
        if wants("fanout") {
            for count in [100, 1000, 5000] {
                scenarios.append(("fanout \(count)", { fanOut(to: count, of: readings[0]) }))
            }
        }
        var results = scenarios.map { _ in [BenchResult]() }
        for _ in 0..<repetitions {
            for (index, scenario) in scenarios.enumerated() {
                let before = server.processorSeconds()
                var result = try scenario.run()
                result.processorSeconds = server.processorSeconds() - before
                results[index].append(result)
            }
        }
        if !scenarios.isEmpty { print(BenchResult.heading) }
        for (scenario, runs) in zip(scenarios, results) { BenchResult.report(scenario.name, runs) }
        if wants("cold") { try coldStart(readings) }
    }

    /// Creates a thousand books, each with a reading.
    private func setUp() throws -> (books: [String], readings: [String]) {
        let books = (0..<1000).map { number in
            let title = "The Reading of Book Number \(number): a Tale in Two Parts"
            return server.request(
                "POST", "/v1/books",
                #"{"title":"\#(title)","authors":["Author Namesake van der Berg"],"pageCount":300}"#)
        }
        let ids = try server.send(books).compactMap { $0["id"] as? String }
        let readings = ids.map { server.request("POST", "/v1/readings", #"{"book":"\#($0)"}"#) }
        return (ids, try server.send(readings).compactMap { $0["id"] as? String })
    }

    /// Measures durable writes, and looks up every acknowledged one.
    private func post(_ readings: [String]) throws -> BenchResult {
        let requests = readings.map {
            server.request(
                "POST", "/v1/readings/\($0)/entries", #"{"progress":0.5,"note":"read on the train, good chapter"}"#)
        }
        var result = server.load(requests, seconds: seconds, keepingBodies: true)
        let acknowledged = result.bodies.values.compactMap { BenchServer.object($0)["id"] as? String }
        let stored = Set(try readings.flatMap { try server.ids("/v1/readings/\($0)/entries") })
        let missing = acknowledged.count { !stored.contains($0) }
        result.bodies = [:]
        result.notes.append("\(acknowledged.count) acknowledged, \(missing) of them missing")
        return result
    }

    private func fanOut(to count: Int, of reading: String) -> BenchResult {
        let stream = server.request("GET", "/v1/readings/\(reading)", fields: "Accept: text/event-stream\r\n")
        let changes = [0.4, 0.6].map {
            server.request("POST", "/v1/readings/\(reading)/entries", #"{"progress":\#($0)}"#)
        }
        return server.fanOut(to: count, of: stream, changes)
    }

    /// Measures the time from the start of the program to its first response, with 100,000 entries on disk.
    private func coldStart(_ readings: [String]) throws {
        let entries = readings.map { server.request("POST", "/v1/readings/\($0)/entries", #"{"progress":0.5}"#) }
        _ = server.load(entries, count: 100_000)
        let milliseconds = try (0..<5).map { _ in
            server.stop()
            let start = DispatchTime.now().uptimeNanoseconds
            try server.start()
            return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
        }.sorted()
        print(
            String(
                format: "cold                median %.0f ms of %d starts (%.0f to %.0f), %d KiB", milliseconds[2],
                milliseconds.count, milliseconds[0], milliseconds[4], server.memory() / 1024))
    }
}
