import Foundation

/// The server's cost of changes to watched lists. It compares changes inside and outside a window of 20, with and
/// without watchers. It also measures a change while very many different queries are watched.
struct LiveWindowScenario {
    let server: BenchServer
    let rows: Int
    let queries: Int
    let connections: Int

    private static let changes = 6000

    func run() {
        guard let connection = BenchConnection(port: server.port) else { return }
        entries(connection)
        books(connection)
    }

    /// Measures a window of one reading's entries.
    private func entries(_ connection: BenchConnection) {
        func make(_ path: String, _ body: String) -> String {
            ResponseValueExtraction.id(
                connection.exchange(server.request("POST", path, body), keepingBody: true)?.body ?? [])
        }
        let reading = make("/v1/readings", "{\"book\":\"\(make("/v1/books", "{\"title\":\"Live\"}"))\"}")
        let path = "/v1/readings/\(reading)/entries"
        let token = server.token
        let post: @Sendable (Int, Int) -> [UInt8] = { number, time in
            let body = "{\"progress\":0.\(1 + number % 8),\"happenedAt\":\"\(Self.time(time))\"}"
            return BenchServer.request("POST", path, body, fields: "Prefer: return=minimal\r\n", as: token)
        }
        fill(rows) { number in post(number, 1 + number % 1_000_000) }
        // One kind is older than all shown entries; the other is newer and moves its reading, too.
        let kinds: [@Sendable (Int) -> [UInt8]] = [{ post($0, 0) }, { post($0, 1_000_000 + $0) }]
        var costs: [Double] = []
        for isWatched in [false, true] {
            let streams = isWatched ? watch([path + "?limit=20"]) : nil
            for kind in kinds { costs.append(cost(kind)) }
            withExtendedLifetime(streams) {}
        }
        print(
            String(
                format:
                    "live                of %d entries: cpu us a change, unwatched %.1f further on, %.1f among the first;"
                    + " watched %.1f, %.1f", rows, costs[0], costs[1], costs[2], costs[3]))
    }

    /// Measures very many different windows of the catalogue.
    private func books(_ connection: BenchConnection) {
        let books = GeneratedBenchBooks(count: 1000)
        var ids: [String] = []
        for number in 0..<books.count {
            let request = server.request("POST", "/v1/books", books.body(number))
            ids.append(ResponseValueExtraction.id(connection.exchange(request, keepingBody: true)?.body ?? []))
        }
        let paths = (0..<queries).map { number in
            let sort = ["title", "author", "publishedYear", "-updatedAt"][number % 4]
            return "/v1/books?limit=\(5 + number % 20)&sort=\(sort)&publishedFrom=\(1500 + number / 4)"
        }
        let (all, token) = (ids, server.token)
        let edit: @Sendable (Int) -> [UInt8] = { number in
            BenchServer.request(
                "PUT", "/v1/books/\(all[number % all.count])", books.body(number * 7 + 1),
                fields: "If-Match: *\r\n", as: token)
        }
        let without = cost(edit)
        let streams = watch(paths)
        let with = cost(edit)
        print(
            String(
                format: "live                %d different queries of %d books: cpu us a change %.1f, without them %.1f",
                queries, books.count, with, without))
        withExtendedLifetime(streams) {}
    }

    /// Returns the server's processor time for a change, in microseconds.
    private func cost(_ request: @escaping @Sendable (Int) -> [UInt8]) -> Double {
        let before = server.processorSeconds()
        fill(Self.changes, request)
        usleep(200_000)
        return (server.processorSeconds() - before) * 1e6 / Double(Self.changes)
    }

    /// Returns streams whose snapshots have arrived, and their reader.
    private func watch(_ paths: [String]) -> (streams: [BenchConnection], reader: BenchEventReader) {
        let streams = paths.compactMap { _ in BenchConnection(port: server.port) }
        let reader = BenchEventReader(streams) {
            server.request("GET", paths[$0], fields: "Accept: text/event-stream\r\n")
        }
        reader.wait(seconds: 60) { reader.begunCount == streams.count }
        return (streams, reader)
    }

    /// Sends a number of requests, over many connections at once.
    private func fill(_ count: Int, _ request: @escaping @Sendable (Int) -> [UInt8]) {
        let done = DispatchSemaphore(value: 0)
        let (port, connections) = (server.port, connections)
        for index in 0..<connections {
            Thread.detachNewThread {
                defer { done.signal() }
                guard let connection = BenchConnection(port: port) else { return }
                for number in stride(from: index, to: count, by: connections) {
                    _ = connection.exchange(request(number))
                }
            }
        }
        for _ in 0..<connections { done.wait() }
    }

    /// Returns a time from 2010 on, which is later for greater numbers.
    private static func time(_ number: Int) -> String {
        var (text, rest) = ("", number)
        for (count, separator) in [(60, "Z"), (60, ":"), (24, ":"), (28, "T"), (12, "-")] {
            let unit = rest % count + (count == 28 || count == 12 ? 1 : 0)
            text = (unit < 10 ? "0" : "") + "\(unit)" + separator + text
            rest /= count
        }
        return "\(2010 + rest)-" + text
    }
}
