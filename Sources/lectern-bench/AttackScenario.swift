import Foundation
import Glibc

/// The latency for a reader while another reader does one expensive thing, beside a control: the same attack on another
/// server of the same machine.
struct AttackScenario {
    /// A server with the data that the attacks and their victim use.
    struct Target: Sendable {
        let port: UInt16
        let mallory: String
        let ben: String
        let mallorysReading: String
        let bensReading: String
        let bensBook: String
        let meeting: String
        let streams: [String]
    }

    static let bookCount = 14_000
    static let noteCount = 1000

    let server: BenchServer
    /// The server that is attacked while the victim uses the first one.
    let control: BenchServer
    let seconds: Double
    /// The attacks to run; empty for all.
    let names: [String]

    /// Prints the results of each attack.
    func run() throws {
        let target = try setUp(server)
        let other = try setUp(control)
        print("attack                reads p50/p99/max ms  control               writes p50/p99/max ms  control")
        for (name, attack) in Self.all where names.isEmpty || names.contains(name) {
            let beside = measure(target, attack(other))
            let under = measure(target, attack(target))
            let columns = [under.0, beside.0, under.1, beside.1].map {
                $0.padding(toLength: 22, withPad: " ", startingAt: 0)
            }
            print(name.padding(toLength: 22, withPad: " ", startingAt: 0) + columns.joined())
            print("  \(under.2)")
        }
        for line in longestTurns() { print(line) }
    }

    /// Returns the latencies of the victim's reads and writes during an attack, and the responses to the attack.
    private func measure(_ target: Target, _ attack: Attack) -> (String, String, String) {
        let victims = [
            AttackVictim(
                "reads", port: target.port, perSecond: 100,
                [
                    BenchServer.request("GET", "/v1/readings/\(target.bensReading)", as: target.ben),
                    BenchServer.request("GET", "/v1/books/\(target.bensBook)", as: target.ben),
                ]),
            AttackVictim(
                "writes", port: target.port, perSecond: 20,
                [
                    BenchServer.request(
                        "POST", "/v1/readings/\(target.bensReading)/entries", #"{"progress":0.5}"#, as: target.ben)
                ]),
        ]
        attack.start()
        for victim in victims { victim.start() }
        Thread.sleep(forTimeInterval: seconds)
        let results = victims.map { $0.stop() }
        let answers = attack.stop()
        let texts = results.map { result in
            String(
                format: "%.1f/%.1f/%.0f%@", result.percentile(0.5), result.percentile(0.99), result.percentile(1),
                result.failures > 0 ? " (\(result.failures) failed)" : "")
        }
        return (texts[0], texts[1], answers)
    }

    private func longestTurns() -> [String] {
        let request = server.request("GET", "/metrics")
        let text = BenchConnection(port: server.port)?.exchange(request, keepingBody: true).map {
            String(decoding: $0.body, as: UTF8.self)
        }
        return (text ?? "").split(separator: "\n").filter { $0.contains("_turn_longest_seconds ") && $0.first != "#" }
            .map(String.init)
    }
}

extension AttackScenario {
    private static let all: [(String, @Sendable (Target) -> Attack)] = [
        (
            "search streams",
            { target in
                Attack("search streams", threads: 2) { attack, _ in
                    let open = target.streams.compactMap { path -> BenchConnection? in
                        let connection = BenchConnection(port: target.port)
                        attack.record(connection?.send(stream(path)) == true ? 200 : 0)
                        return connection
                    }
                    for _ in 0..<50 where !attack.hasEnded { usleep(100_000) }
                    withExtendedLifetime(open) {}
                }
            }
        ),
        (
            "reopened streams",
            { target in
                Attack("reopened streams", threads: 20) { attack, number in
                    guard let connection = BenchConnection(port: target.port) else { return attack.record(0) }
                    let isSent = connection.send(stream(target.streams[number % target.streams.count]))
                    attack.record(isSent ? connection.readStatus() : 0)
                    usleep(50_000)
                }
            }
        ),
        ("searches", { target in requests(target, "searches", connections: 60) { search("/v1/books", $0) } }),
        (
            "batches",
            { target in
                let line =
                    #"{"method":"POST","path":"/v1/readings/\#(target.mallorysReading)/entries","body":{"progress":0.4}}"#
                let lines = [String](repeating: line, count: 100).joined(separator: ",")
                return requests(target, "batches", connections: 24) { _ in
                    ("POST", "/v1/batch", #"{"atomic":false,"requests":[\#(lines)]}"#, "")
                }
            }
        ),
        (
            "large batches",
            { target in
                let note = String(repeating: "a", count: 2450)
                let line =
                    #"{"method":"POST","path":"/v1/readings/\#(target.mallorysReading)/entries","body":{"progress":0.4,"note":"\#(note)"}}"#
                let lines = [String](repeating: line, count: 100).joined(separator: ",")
                return requests(target, "large batches", connections: 4) { _ in
                    ("POST", "/v1/batch", #"{"atomic":true,"requests":[\#(lines)]}"#, "")
                }
            }
        ),
        (
            "markdown",
            { target in
                requests(target, "markdown", connections: 6) { _ in
                    ("GET", "\(target.meeting)/notes", "", "Accept: text/markdown\r\n")
                }
            }
        ),
        ("note searches", { target in requests(target, "note searches", connections: 4) { search("/v1/notes", $0) } }),
        (
            "lists",
            { target in requests(target, "lists", connections: 20) { ("GET", lists[$0 % lists.count], "", "") } }
        ),
        (
            "replays",
            { target in
                Attack("replays", threads: 20) { attack, _ in
                    guard let connection = BenchConnection(port: target.port) else { return attack.record(0) }
                    let fields = "Accept: text/event-stream\r\nLast-Event-ID: 0\r\n"
                    let request = BenchServer.request("GET", "/v1/changes", fields: fields, as: target.mallory)
                    attack.record(connection.send(request) ? connection.readStatus() : 0)
                    usleep(100_000)
                }
            }
        ),
        (
            "passwords",
            { target in
                requests(target, "passwords", connections: 8) { number in
                    ("POST", "/v1/sessions", #"{"name":"n\#(number)","password":"not this","device":"none"}"#, "")
                }
            }
        ),
    ]

    private static let lists = ["title", "author", "-title"].map { "/v1/books?limit=100&sort=\($0)" }

    private static func requests(
        _ target: Target, _ name: String, connections: Int,
        _ request: @escaping @Sendable (Int) -> (method: String, path: String, body: String, fields: String)
    ) -> Attack {
        Attack(name, port: target.port, threads: connections) { number in
            let (method, path, body, fields) = request(number)
            return BenchServer.request(method, path, body, fields: fields, as: target.mallory)
        }
    }

    private static func search(_ path: String, _ number: Int) -> (String, String, String, String) {
        ("GET", "\(path)?q=\(words(number))&limit=100", "", "")
    }

    /// Returns one to six words of generated books.
    static func words(_ number: Int) -> String {
        var random = GeneratedBenchBooks.Generator(state: UInt64(number))
        return (0..<(1 + number % 6)).map { _ in GeneratedBenchBooks.word(Int.random(in: 0..<105, using: &random)) }
            .joined(separator: "+")
    }

    private static func stream(_ path: String) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n".utf8)
    }
}
