import Foundation

/// The server's cost of changes to watched lists. It compares changes inside and outside a window of 20, with and
/// without watchers. It also measures a change while very many different queries are watched.
struct LiveWindowScenario {
    let server: BenchServer

    private static let rowCount = 100_000
    private static let queryCount = 1000
    private static let bookCount = 1000
    private static let changeCount = 6000

    func run() throws {
        try measureEntries()
        try measureBooks()
    }

    /// Measures a window of one reading's entries.
    private func measureEntries() throws {
        let book = try server.create("/v1/books", #"{"title":"Live"}"#)
        let path = "/v1/readings/\(try server.create("/v1/readings", #"{"book":"\#(book)"}"#))/entries"
        func entry(_ number: Int, at time: Int) -> [UInt8] {
            let happenedAt = Date(timeIntervalSince1970: 1_262_304_000 + Double(time) * 60).ISO8601Format()
            return server.request(
                "POST", path, #"{"progress":0.\#(1 + number % 8),"happenedAt":"\#(happenedAt)"}"#,
                fields: "Prefer: return=minimal\r\n")
        }
        try server.send((0..<Self.rowCount).map { entry($0, at: 1 + $0) })
        // One kind is older than all shown entries; the other is newer and moves its reading, too.
        let kinds = [
            (0..<Self.changeCount).map { entry($0, at: 0) },
            (0..<Self.changeCount).map { entry($0, at: Self.rowCount + 1 + $0) },
        ]
        let unwatched = kinds.map(cost)
        let watched = watching([path + "?limit=20"]) { kinds.map(cost) }
        print(
            String(
                format:
                    "live                of %d entries: cpu us a change, unwatched %.1f further on, %.1f among the first;"
                    + " watched %.1f, %.1f", Self.rowCount, unwatched[0], unwatched[1], watched[0], watched[1]))
    }

    /// Measures very many different windows of the catalogue.
    private func measureBooks() throws {
        let books = (0..<Self.bookCount).map { server.request("POST", "/v1/books", GeneratedBenchBooks.body($0)) }
        let ids = try server.send(books).compactMap { $0["id"] as? String }
        let paths = (0..<Self.queryCount).map { number in
            let sort = ["title", "author", "publishedYear", "-updatedAt"][number % 4]
            return "/v1/books?limit=\(5 + number % 20)&sort=\(sort)&publishedFrom=\(1500 + number / 4)"
        }
        let edits = (0..<Self.changeCount).map { number in
            server.request(
                "PUT", "/v1/books/\(ids[number % ids.count])", GeneratedBenchBooks.body(number * 7 + 1),
                fields: "If-Match: *\r\n")
        }
        let without = cost(edits)
        let with = watching(paths) { cost(edits) }
        print(
            String(
                format: "live                %d different queries of %d books: cpu us a change %.1f, without them %.1f",
                Self.queryCount, Self.bookCount, with, without))
    }

    /// Returns the server's processor time for a change, in microseconds.
    private func cost(_ requests: [[UInt8]]) -> Double {
        let before = server.processorSeconds()
        _ = server.load(requests, count: requests.count)
        usleep(200_000)
        return (server.processorSeconds() - before) * 1e6 / Double(requests.count)
    }

    /// Runs a measurement while streams of these paths are open.
    private func watching<Value>(_ paths: [String], _ measure: () -> Value) -> Value {
        let reader = BenchEventReader(port: server.port, paths.map { server.stream($0) })
        reader.wait(seconds: 60) { reader.begunCount == paths.count }
        defer { _ = reader.finish() }
        return measure()
    }
}
