import Foundation

/// What is measured.
struct Scenarios {
    let server: Server
    let seconds: Double
    let connections: Int
    let subscribers: [Int]

    /// Prints a row a scenario; all of them without names.
    func all(_ names: [String]) throws {
        let (books, readings) = setUp()
        func wants(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
        print("scenario            per second   p50 ms   p99 ms   failures")
        if wants("get") { row("get", get(books)) }
        if wants("list") {
            row(
                "list",
                Load.run(
                    port: server.port, connections: connections, seconds: seconds, expecting: 200,
                    [server.request("GET", "/v1/books?limit=20")]))
        }
        if wants("conditional") { row("conditional", conditional(books[0])) }
        if wants("post") { post(readings) }
        if wants("fanout") { for count in subscribers { fanOut(count, readings[0]) } }
        if wants("stalled") {
            Stalled(server: server, readings: readings, changes: 100_000, stalled: 1000, connections: connections).run()
        }
    }

    /// A thousand books, each with a reading.
    private func setUp() -> (books: [String], readings: [String]) {
        guard let connection = Connection(port: server.port) else { return ([], []) }
        var books: [String] = []
        var readings: [String] = []
        for number in 0..<1000 {
            let body =
                "{\"title\":\"The Reading of Book Number \(number): a Tale in Two Parts\",\"authors\":[\"Author Namesake van der Berg\"],\"pageCount\":300}"
            books.append(
                Text.id(connection.exchange(server.request("POST", "/v1/books", body), keepingBody: true)?.body ?? []))
            let reading = server.request("POST", "/v1/readings", "{\"book\":\"\(books[number])\"}")
            readings.append(Text.id(connection.exchange(reading, keepingBody: true)?.body ?? []))
        }
        return (books, readings)
    }

    private func row(_ name: String, _ result: Load.Result) {
        print(
            String(
                format: "%@ %12.0f %8.2f %8.2f %10d", name.padding(toLength: 18, withPad: " ", startingAt: 0),
                result.rate,
                result.percentile(0.5), result.percentile(0.99), result.failures))
    }

    private func get(_ books: [String]) -> Load.Result {
        Load.run(
            port: server.port, connections: connections, seconds: seconds, expecting: 200,
            books.map { server.request("GET", "/v1/books/\($0)") })
    }

    private func conditional(_ book: String) -> Load.Result {
        let etag =
            Connection(port: server.port)?.exchange(server.request("GET", "/v1/books/\(book)"), keepingBody: true)?.etag
            ?? ""
        let request = server.request("GET", "/v1/books/\(book)", fields: "If-None-Match: \(etag)\r\n")
        return Load.run(port: server.port, connections: connections, seconds: seconds, expecting: 304, [request])
    }

    private func post(_ readings: [String]) {
        let requests = readings.map {
            server.request(
                "POST", "/v1/readings/\($0)/entries", "{\"progress\":0.5,\"note\":\"read on the train, good chapter\"}")
        }
        let result = Load.run(
            port: server.port, connections: connections, seconds: seconds, expecting: 201, keepingIDs: true, requests)
        row("post", result)
        let there = entries(readings)
        let missing = result.ids.filter { !there.contains($0) }.count
        print("                    \(result.ids.count) acknowledged, \(missing) of them missing")
    }

    /// The ids of all entries of some readings.
    private func entries(_ readings: [String]) -> Set<String> {
        guard let connection = Connection(port: server.port) else { return [] }
        var ids: Set<String> = []
        for reading in readings {
            var cursor = ""
            repeat {
                let request = server.request("GET", "/v1/readings/\(reading)/entries?limit=100&cursor=\(cursor)")
                let text = String(decoding: connection.exchange(request, keepingBody: true)?.body ?? [], as: UTF8.self)
                for part in text.components(separatedBy: "{\"id\":\"").dropFirst() {
                    ids.insert(String(part.prefix(36)))
                }
                cursor = Text.value("\"next\":\"", Array(text.utf8))
            } while !cursor.isEmpty
        }
        return ids
    }

    private func fanOut(_ count: Int, _ reading: String) {
        guard let publisher = Connection(port: server.port) else { return }
        let result = FanOut(
            server, subscribers: count, events: 200, perSecond: 20,
            request: server.request("GET", "/v1/readings/\(reading)", fields: "Accept: text/event-stream\r\n")
        ) { number in
            _ = publisher.exchange(
                server.request("POST", "/v1/readings/\(reading)/entries", "{\"progress\":0.\(number % 2 == 0 ? 4 : 6)}")
            )
        }
        let faults = result.lost + result.doubled + result.outOfOrder
        row(
            "fanout \(count)",
            Load.Result(
                answers: result.latencies.count, failures: faults, latencies: result.latencies, seconds: 10))
        print("                    \(result.faults), \(result.bytesPerSubscriber) bytes a subscriber")
    }
}

extension Load {
    /// The same requests, one after the other, beginning at another one on each connection.
    static func run(
        port: UInt16, connections: Int, seconds: Double, expecting status: Int, keepingIDs: Bool = false,
        _ requests: [[UInt8]]
    ) -> Result {
        run(port: port, connections: connections, seconds: seconds, expecting: status, keepingIDs: keepingIDs) {
            index, number in
            requests[(index * 17 + number) % requests.count]
        }
    }
}
