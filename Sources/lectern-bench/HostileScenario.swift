import Foundation
import Glibc

/// A hostile client with one token, and the latencies that others measure: probes, the administrator, another reader.
struct HostileScenario {
    let server: BenchServer
    let seconds: Double
    /// The maximum latency in milliseconds at the 99th percentile.
    static let p99Max = 50.0

    private struct World {
        var mallory = ""
        var ben = ""
        var books: [String] = []
        var mallorysReading = ""
        var bensReading = ""
    }

    /// Runs the attack, and returns whether all others were served in time.
    func run() -> Bool {
        guard let world = setUp() else {
            print("hostile             could not be set up")
            return false
        }
        AttackVictim.measure(victims(world), for: max(2, seconds / 10), beside: [], title: "hostile alone ")
        let before = server.memory()
        let beside = AttackVictim.measure(victims(world), for: seconds, beside: attacks(world), title: "hostile beside")
        print(
            "                    \((server.memory() - before) >> 20) MiB more of server memory, \(server.memory() >> 20) in all"
        )
        return beside.allSatisfy { $0.failures == 0 && $0.percentile(0.99) <= Self.p99Max }
    }

    private func victims(_ world: World) -> [AttackVictim] {
        let entry = "{\"progress\":0.5,\"note\":\"read on the train\"}"
        return [
            AttackVictim("/healthz", port: server.port, perSecond: 50, [server.request("GET", "/healthz")]),
            AttackVictim(
                "administrator", port: server.port, perSecond: 50,
                [
                    server.request("GET", "/v1/readers"), server.request("GET", "/metrics"),
                    server.request("GET", "/v1/tokens?limit=20"),
                ]),
            AttackVictim(
                "reader", port: server.port, perSecond: 50,
                [
                    server.request("GET", "/v1/readings/\(world.bensReading)", as: world.ben),
                    server.request("GET", "/v1/cards", as: world.ben),
                    server.request("GET", "/v1/books?q=ta&limit=5", as: world.ben),
                ]),
            AttackVictim(
                "reader, writes", port: server.port, perSecond: 20,
                [server.request("POST", "/v1/readings/\(world.bensReading)/entries", entry, as: world.ben)]),
        ]
    }

    private func attacks(_ world: World) -> [Attack] {
        let (port, token) = (server.port, world.mallory)
        let (books, reading) = (world.books, world.mallorysReading)
        let ask = { @Sendable (method: String, path: String, body: String) in
            BenchServer.request(method, path, body, as: token)
        }
        let line = #"{"method":"POST","path":"/v1/readings/\#(reading)/entries","body":{"progress":0.4}}"#
        let batch = "{\"atomic\":false,\"requests\":[\([String](repeating: line, count: 100).joined(separator: ","))]}"
        let large = "{\"title\":\"" + String(repeating: "a", count: 1_000_000) + "\"}"
        let deep = String(repeating: "[", count: 500_000)
        return [
            Attack("gets", port: port, threads: 8) { ask("GET", "/v1/books/\(books[$0 % books.count])", "") },
            Attack("lists", port: port, threads: 4) {
                ask("GET", "/v1/books?limit=100&sort=\($0 % 2 == 0 ? "title" : "author")", "")
            },
            Attack("searches", port: port, threads: 8) { number in
                var random = GeneratedBooks.Generator(state: UInt64(number))
                let words = (0..<(1 + number % 6)).map { _ in
                    GeneratedBooks.word(Int.random(in: 0..<105, using: &random))
                }
                return ask("GET", "/v1/books?q=\(words.joined(separator: "+"))&limit=100&language=da", "")
            },
            Attack("entries", port: port, threads: 32) { _ in
                ask("POST", "/v1/readings/\(reading)/entries", "{\"progress\":0.5}")
            },
            Attack("batches", port: port, threads: 8) { _ in ask("POST", "/v1/batch", batch) },
            Attack("books", port: port, threads: 4) { ask("POST", "/v1/books", "{\"title\":\"Nuisance \($0)\"}") },
            Attack("tokens", port: port, threads: 4) { ask("POST", "/v1/tokens", "{\"name\":\"\($0)\"}") },
            Attack("streams made", port: port, threads: 2) { _ in
                let watched = books.prefix(200).enumerated().map { "\"n\($0)\":\"/v1/books/\($1)\"" }
                return ask("POST", "/v1/streams", "{\"watch\":{\(watched.joined(separator: ","))}}")
            },
            Attack("large bodies", port: port, threads: 4) { ask("POST", "/v1/books", $0 % 2 == 0 ? large : deep) },
            .pipeline(port: port, ask("GET", "/v1/me", "")),
            .held("streams", port: port, count: 300) {
                let path = $0 % 3 == 0 ? "/v1/changes?after=" : $0 % 3 == 1 ? "/v1/books" : "/v1/readings/\(reading)"
                return BenchServer.request("GET", path, fields: "Accept: text/event-stream\r\n", as: token)
            },
            .held("polls", port: port, count: 300) { _ in
                BenchServer.request("GET", "/v1/changes", fields: "Prefer: wait=60\r\n", as: token)
            },
        ]
    }

    private func setUp() -> World? {
        guard let connection = BenchConnection(port: server.port) else { return nil }
        func make(_ path: String, _ body: String, as token: String? = nil, _ member: String = "id") -> String {
            let request = server.request("POST", path, body, as: token)
            return JSONExtract.value("\"\(member)\":\"", connection.exchange(request, keepingBody: true)?.body ?? [])
        }
        var world = World()
        func reader(_ name: String) -> String {
            let id = make("/v1/readers", "{\"name\":\"\(name)\"}")
            do { return try server.token(ofReader: id) } catch { return "" }
        }
        (world.mallory, world.ben) = (reader("Mallory"), reader("Ben"))
        let books = GeneratedBooks(count: 5000)
        for start in stride(from: 0, to: books.count, by: 100) {
            let lines = (start..<start + 100).map { #"{"method":"POST","path":"/v1/books","body":\#(books.body($0))}"# }
            let body = "{\"atomic\":false,\"requests\":[\(lines.joined(separator: ","))]}"
            // An administrator's requests are rate-limited, too.
            while connection.exchange(server.request("POST", "/v1/batch", body))?.status == 429 { usleep(100_000) }
        }
        world.books = (0..<200).map { make("/v1/books", books.body($0)) }
        world.mallorysReading = make("/v1/readings", "{\"book\":\"\(world.books[0])\"}", as: world.mallory)
        world.bensReading = make("/v1/readings", "{\"book\":\"\(world.books[0])\"}", as: world.ben)
        return world.mallory.isEmpty || world.bensReading.isEmpty ? nil : world
    }
}
