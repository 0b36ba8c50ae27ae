import Foundation

struct BenchScenarios {
    let server: BenchServer
    let seconds: Double
    let connections: Int
    let repetitions: Int
    /// The number of rows of the watched list, and the number of different watched queries.
    let live: (rows: Int, queries: Int)
    let reference: ReferenceServer?
    let subscribers: [Int]

    /// Runs the named scenarios, or all. Repetitions alternate between scenarios, to spread a slow minute of the
    /// machine over several of them.
    func all(_ names: [String]) throws {
        let (books, readings) = setUp()
        func wants(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
        var table = BenchReport()
        for _ in 0..<repetitions {
            if wants("get") { measure("get", &table, compared: true) { get(books) } }
            if wants("list") { measure("list", &table, compared: true) { list() } }
            if wants("conditional") { measure("conditional", &table) { conditional(books[0]) } }
            if wants("post") { measure("post", &table) { post(readings) } }
            if wants("fanout") {
                for count in subscribers { measure("fanout \(count)", &table) { fanOut(count, readings[0]) } }
            }
            if wants("topics") { measure("topics", &table) { topics(readings) } }
        }
        table.print()
        if wants("stalled") {
            StalledSubscriberScenario(
                server: server, readings: readings, changes: 100_000, stalled: 1000, connections: connections
            ).run()
        }
        if wants("cold"), server.isOurs {
            let (milliseconds, memory) = try ColdStartScenario(
                server: server, readings: readings, connections: connections, entries: 100_000
            ).run()
            print(
                String(
                    format: "cold                median %.0f ms of %d starts (%.0f to %.0f), %d KiB", milliseconds[2],
                    milliseconds.count, milliseconds[0], milliseconds[4], memory / 1024))
        }
        if wants("club") {
            let club = try ClubScenario(server, connections: connections)
            UnlockScenario(server: server, club: club).run()
            StandingsScenario(server: server, club: club, seconds: seconds).run()
        }
        if wants("live") {
            LiveWindowScenario(server: server, rows: live.rows, queries: live.queries, connections: connections).run()
        }
    }

    /// Runs a scenario with the server's processor time, and then the reference.
    private func measure(
        _ name: String, _ table: inout BenchReport, compared: Bool = false, _ run: () -> RequestLoadResult
    ) {
        let before = server.processorSeconds()
        var result = run()
        result.processorSeconds = server.processorSeconds() - before
        if compared, let reference {
            let other = RequestLoad.run(
                port: reference.port, connections: connections, seconds: seconds, expecting: 200, [reference.request])
            result.notes.append(String(format: "%.2f x the reference's %.0f", result.rate / other.rate, other.rate))
        }
        table.add(name, result)
    }

    /// Creates a thousand books, each with a reading.
    private func setUp() -> (books: [String], readings: [String]) {
        guard let connection = BenchConnection(port: server.port) else { return ([], []) }
        var books: [String] = []
        var readings: [String] = []
        for number in 0..<1000 {
            let body =
                "{\"title\":\"The Reading of Book Number \(number): a Tale in Two Parts\",\"authors\":[\"Author Namesake van der Berg\"],\"pageCount\":300}"
            books.append(
                ResponseValueExtraction.id(
                    connection.exchange(server.request("POST", "/v1/books", body), keepingBody: true)?.body ?? []))
            let reading = server.request("POST", "/v1/readings", "{\"book\":\"\(books[number])\"}")
            readings.append(ResponseValueExtraction.id(connection.exchange(reading, keepingBody: true)?.body ?? []))
        }
        return (books, readings)
    }

    private func get(_ books: [String]) -> RequestLoadResult {
        RequestLoad.run(
            port: server.port, connections: connections, seconds: seconds, expecting: 200,
            books.map { server.request("GET", "/v1/books/\($0)") })
    }

    private func list() -> RequestLoadResult {
        RequestLoad.run(
            port: server.port, connections: connections, seconds: seconds, expecting: 200,
            [server.request("GET", "/v1/books?limit=20")])
    }

    private func topics(_ readings: [String]) -> RequestLoadResult {
        let result = TopicsScenario(server: server, readings: readings, seconds: seconds, connections: connections)
            .run()
        return RequestLoadResult(
            answers: result.delivered, failures: result.lost + result.outOfOrder, latencies: result.latencies,
            seconds: seconds, notes: ["\(result.lost) lost, \(result.outOfOrder) out of order"])
    }

    private func conditional(_ book: String) -> RequestLoadResult {
        let etag =
            BenchConnection(port: server.port)?.exchange(server.request("GET", "/v1/books/\(book)"), keepingBody: true)?
            .etag
            ?? ""
        let request = server.request("GET", "/v1/books/\(book)", fields: "If-None-Match: \(etag)\r\n")
        return RequestLoad.run(port: server.port, connections: connections, seconds: seconds, expecting: 304, [request])
    }

    private func post(_ readings: [String]) -> RequestLoadResult {
        let requests = readings.map {
            server.request(
                "POST", "/v1/readings/\($0)/entries", "{\"progress\":0.5,\"note\":\"read on the train, good chapter\"}")
        }
        var result = RequestLoad.run(
            port: server.port, connections: connections, seconds: seconds, expecting: 201, keepingIDs: true, requests)
        let there = entries(readings)
        let missing = result.ids.filter { !there.contains($0) }.count
        result.notes.append("\(result.ids.count) acknowledged, \(missing) of them missing")
        return result
    }

    /// Returns the ids of all entries of some readings.
    private func entries(_ readings: [String]) -> Set<String> {
        guard let connection = BenchConnection(port: server.port) else { return [] }
        var ids: Set<String> = []
        for reading in readings {
            ids.formUnion(ListPageReader.ids(server, connection, "/v1/readings/\(reading)/entries"))
        }
        return ids
    }

    private func fanOut(_ count: Int, _ reading: String) -> RequestLoadResult {
        guard let publisher = BenchConnection(port: server.port) else { return RequestLoadResult() }
        let result = FanOutScenario(
            server, subscribers: count, events: 200, perSecond: 20,
            request: { _ in server.request("GET", "/v1/readings/\(reading)", fields: "Accept: text/event-stream\r\n") }
        ) { number in
            _ = publisher.exchange(
                server.request("POST", "/v1/readings/\(reading)/entries", "{\"progress\":0.\(number % 2 == 0 ? 4 : 6)}")
            )
        }
        return RequestLoadResult(
            answers: result.latencies.count, failures: result.lost + result.doubled + result.outOfOrder,
            latencies: result.latencies, seconds: 10,
            notes: ["\(result.faults), \(result.bytesPerSubscriber) bytes a subscriber"])
    }
}

extension RequestLoad {
    /// Runs a load of the same requests in turn, from a different start on each connection.
    static func run(
        port: UInt16, connections: Int, seconds: Double, expecting status: Int, keepingIDs: Bool = false,
        _ requests: [[UInt8]]
    ) -> RequestLoadResult {
        run(port: port, connections: connections, seconds: seconds, expecting: status, keepingIDs: keepingIDs) {
            index, number in
            requests[(index * 17 + number) % requests.count]
        }
    }
}
