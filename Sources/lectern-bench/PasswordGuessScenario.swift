import Foundation

/// The latency for signed-in readers while an attacker guesses passwords, from one address and then from many.
struct PasswordGuessScenario {
    let server: BenchServer
    let seconds: Double
    /// The maximum latency in milliseconds at the 99th percentile.
    static let p99Max = 10.0
    /// The minimum number of wrong passwords for a meaningful result.
    static let guessesMin = 1000

    /// Runs both attacks, and returns whether all signed-in readers were served in time.
    func run() -> Bool {
        guard let readings = setUp() else {
            print("guesses             could not be set up")
            return false
        }
        AttackVictim.measure(victims(readings), for: 3, beside: [], title: "guesses alone      ")
        let before = server.memory()
        let ofOne = Attack("one address", port: server.port, threads: 8, connectionLength: 100) { Self.guess($0) }
        let ofMany = Attack(
            "many addresses", port: server.port, threads: 8, connectionLength: 2,
            from: { "127.\(1 + $0 / 60_000 % 250).\($0 / 250 % 240).\(1 + $0 % 250)" }, { Self.guess($0) })
        let results =
            AttackVictim.measure(victims(readings), for: seconds, beside: [ofOne], title: "guesses one address")
            + AttackVictim.measure(victims(readings), for: seconds, beside: [ofMany], title: "guesses many       ")
        print("                    \((server.memory() - before) >> 20) MiB more, \(server.memory() >> 20) in all")
        let guesses = [ofOne, ofMany].map(\.count)
        return results.allSatisfy { $0.failures == 0 && $0.percentile(0.99) <= Self.p99Max }
            && guesses.allSatisfy { $0 >= Self.guessesMin }
    }

    /// Returns a sign-in with a wrong password. Half of them are for the existing name.
    private static func guess(_ number: Int) -> [UInt8] {
        let name = number % 2 == 0 ? "ada" : "nobody\(number)"
        let body = "{\"name\":\"\(name)\",\"password\":\"not this \(number)\",\"device\":\"none\"}"
        return Array(
            """
            POST /v1/sessions HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """.utf8)
    }

    /// Returns ten readers who send fifty requests a second each.
    private func victims(_ readers: [(token: String, reading: String)]) -> [AttackVictim] {
        readers.enumerated().map { index, reader in
            AttackVictim(
                "reader \(index)", port: server.port, perSecond: 50,
                [
                    server.request("GET", "/v1/readings/\(reader.reading)", as: reader.token),
                    server.request("GET", "/v1/cards", as: reader.token),
                    server.request("GET", "/v1/me", as: reader.token),
                ])
        }
    }

    private func setUp() -> [(token: String, reading: String)]? {
        guard let connection = BenchConnection(port: server.port) else { return nil }
        func make(_ path: String, _ body: String, as token: String? = nil, _ member: String = "id") -> String {
            let request = server.request("POST", path, body, as: token)
            return JSONExtract.value("\"\(member)\":\"", connection.exchange(request, keepingBody: true)?.body ?? [])
        }
        let book = make("/v1/books", "{\"title\":\"Middlemarch\"}")
        let readers = (0..<10).map { number in
            let link = make("/v1/links", "{}", as: nil, "url").drop { $0 != "#" }.dropFirst()
            let account =
                "{\"link\":\"\(link)\",\"name\":\"\(number == 0 ? "ada" : "ada\(number)")\",\"readerName\":\"Ada\","
                + "\"password\":\"a rope of sand\",\"device\":\"bench\"}"
            let token = make("/v1/accounts", account, "token")
            return (token: token, reading: make("/v1/readings", "{\"book\":\"\(book)\"}", as: token))
        }
        return readers.allSatisfy { !$0.token.isEmpty && !$0.reading.isEmpty } ? readers : nil
    }
}
