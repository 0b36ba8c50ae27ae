import API
import Bytes
import Foundation
import HTTPServer
import JSON
import SharedByTests
import Testing

@Suite("Password guesses", .serialized, .ownThreads)
struct GuessingTests {
    @Test("Guesses at a name, known or not, are slowed with the same response; signed-in readers are not")
    func slowed() throws {
        let scenario = try AccountScenario()
        let ben = try #require(try scenario.register("Ben")["token"]?.string)
        var given: [String] = []
        for name in ["Ben", "nobody"] {
            for _ in 1...10 { #expect(try scenario.signIn(name, "wrong").status == 401) }
            let answer = try scenario.signIn(name, "wrong")
            #expect(answer.status == 429 && (1...30).contains(Int(answer.fields["retry-after"] ?? "") ?? 0))
            given.append("\(answer["limit"]?["name"]?.string ?? "")")
        }
        #expect(given == ["signInsPerNameMax", "signInsPerNameMax"])
        // The right password is refused, too. Otherwise the response would reveal it.
        #expect(try scenario.signIn("Ben").status == 429)
        let me = try scenario.service.send("GET", "/v1/me", token: ben)
        #expect(me.status == 200)
        // Sign-in attempts with names do not use the limit of signed-in readers.
        let id = try #require(me["id"]?.string)
        for name in [id, "/\(id)"] { for _ in 1...10 { #expect(try scenario.signIn(name, "wrong").status == 401) } }
        #expect(try scenario.signIn("\\u0000\(id)", "wrong").status == 422)
        let body = "{\"current\":\"a rope of sand\",\"password\":\"another rope\"}"
        #expect(try scenario.service.send("PUT", "/v1/me/password", body, token: ben).status == 201)
        // Nor do they use the limit of registrations.
        #expect(try scenario.signIn("nobody").status == 429)
        #expect(try scenario.register("nobody").status == 201)
    }

    @Test("Guesses from an address are slowed, whatever the names")
    func address() throws {
        let scenario = try AccountScenario()
        // This holds on slow machines: one guess is allowed every two seconds.
        var tries = 0
        while tries < 300, try scenario.signIn("name \(tries)", "wrong").status == 401 { tries += 1 }
        #expect((60..<300).contains(tries))
    }

    @Test("A registration does not count as a guess from its address")
    func registrations() throws {
        let scenario = try AccountScenario()
        for number in 1...70 { #expect(try scenario.register("Ben \(number)").status == 201) }
        #expect(try scenario.signIn("nobody", "wrong").status == 401)
    }

    @Test("A correct password does not count as a guess, unless it comes repeatedly")
    func right() throws {
        let scenario = try AccountScenario()
        _ = try scenario.register("Ben")
        for _ in 1...15 { #expect(try scenario.signIn("Ben").status == 201) }
        // This holds on slow machines: one sign-in is allowed every five seconds.
        var count = 15
        while count < 120, try scenario.signIn("Ben").status == 201 { count += 1 }
        #expect((40..<120).contains(count))
    }

    @Test("An open link creates no hash for a taken name, and is slowed")
    func takenNames() throws {
        let scenario = try AccountScenario { $0.passwordMebibytes = 1 }
        let ben = try #require(try scenario.register("Ben")["token"]?.string)
        let cleo = try scenario.service.make("/v1/readers", "{\"name\":\"Cleo\"}")
        let link = try scenario.link("{\"kind\":\"reset\",\"reader\":\"\(cleo)\"}")
        func reset(_ name: String) throws -> Answer {
            let body = "{\"link\":\"\(link)\",\"password\":\"a rope of sand\",\"name\":\"\(name)\"}"
            return try scenario.service.send("POST", "/v1/password-resets", body, token: "")
        }
        for _ in 1...10 { #expect(try reset("ben")["type"]?.string == "/problems/name-taken") }
        #expect(try reset("ben")["limit"]?["name"]?.string == "signInsPerNameMax")
        _ = try scenario.register("Dora")
        let body = "{\"current\":\"a guess\",\"password\":\"another rope\",\"name\":\"dora\"}"
        let taken = try scenario.service.send("PUT", "/v1/me/password", body, token: ben)
        #expect(taken["type"]?.string == "/problems/name-taken", "The name is looked at first: \(taken.text)")
        #expect(try scenario.register("dora")["type"]?.string == "/problems/name-taken")
    }

    @Test("The duration of a response does not tell whether an account exists")
    func time() throws {
        // Manual runs use 200 sign-ins at the usual cost.
        let count = Int(ProcessInfo.processInfo.environment["LECTERN_TIMED_SIGN_INS"] ?? "") ?? 25
        let mebibytes = Int(ProcessInfo.processInfo.environment["LECTERN_TIMED_MEBIBYTES"] ?? "") ?? 1
        let scenario = try AccountScenario {
            $0.passwordMebibytes = mebibytes
            $0.guessesAreSlowed = false
        }
        for number in 1...count { _ = try scenario.register("known \(number)") }
        _ = try scenario.signIn("warm", "wrong")
        // Without a difference one sample in 10,000 exceeds the limit. A real difference exceeds it in every sample.
        let isTold = try (0..<3).allSatisfy { _ in
            var (known, unknown): ([Double], [Double]) = ([], [])
            for number in 1...count {
                // The two kinds alternate, so the machine's other load affects both.
                known.append(try seconds { try scenario.signIn("known \(number)", "wrong") })
                unknown.append(try seconds { try scenario.signIn("other \(number)", "wrong") })
            }
            let score = Self.score(known, unknown)
            if count >= 100 || abs(score) >= 3.9 {
                print("rank test: z = \(score), medians \(known.sorted()[count / 2]), \(unknown.sorted()[count / 2])")
            }
            return abs(score) >= 3.9
        }
        #expect(!isTold)
    }

    private func seconds(_ body: () throws -> Answer) throws -> Double {
        let clock = ContinuousClock()
        var answer: Answer?
        let took = try clock.measure { answer = try body() }
        #expect(answer?.status == 401)
        return Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
    }

    /// Returns the difference of two samples in standard deviations (Mann and Whitney's test of ranks).
    static func score(_ left: [Double], _ right: [Double]) -> Double {
        let (m, n) = (Double(left.count), Double(right.count))
        var wins = 0.0
        for a in left { for b in right { wins += a > b ? 1 : a == b ? 0.5 : 0 } }
        return (wins - m * n / 2) / (m * n * (m + n + 1) / 12).squareRoot()
    }

    @Test("The rank test distinguishes different samples, and no equal ones")
    func ranks() {
        let even = (0..<50).map(Double.init)
        #expect(abs(Self.score(even, even.map { $0 + 0.1 })) < 1)
        #expect(Self.score(even.map { $0 + 25 }, even) > 3.9)
    }

    @Test("Guesses block no event loop, and at most twelve wait, two of an address")
    func loops() throws {
        let proxies = [try AddressRange("127.0.0.1")]
        let forwarding = try #require(ForwardedClientAddress(field: "X-Forwarded-For", proxies: proxies))
        let scenario = try AccountScenario(forwarding: forwarding) { $0.passwordMebibytes = 32 }
        let ben = try #require(try scenario.register("Ben")["token"]?.string)
        let wires = try (0..<40).map { number in
            let wire = try Wire(scenario.service)
            let body = "{\"name\":\"n\(number)\",\"password\":\"wrong\"}"
            wire.send(
                "POST /v1/sessions HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nX-Forwarded-For: 203.0.113.\(number < 10 ? 0 : number)\r\n\r\n\(body)"
            )
            return wire
        }
        for _ in 1...50 { #expect(try scenario.service.send("GET", "/v1/me", token: ben).status == 200) }
        // All of this happens while most hashes are pending. On the event loops they would have come first.
        let metrics = try scenario.service.send("GET", "/metrics").text
        let refused = metrics.split(separator: "\n").first { $0.hasPrefix("lectern_sign_ins_refused_total ") }
        let count: Int? = refused.flatMap { Int($0.split(separator: " ")[1]) }
        #expect(try #require(count) < 16)
        var statuses: [String: Int] = [:]
        var ofOne = 0
        for (number, wire) in wires.enumerated() {
            let status = String(wire.read(until: "}").dropFirst(9).prefix(3))
            statuses[status, default: 0] += 1
            if number < 10, status == "401" { ofOne += 1 }
        }
        #expect(statuses["401", default: 0] >= 12 && statuses["429", default: 0] >= 10, "\(statuses)")
        #expect(statuses.values.reduce(0, +) == 40)
        // The thread may have finished a few jobs meanwhile.
        #expect((2...6).contains(ofOne))
    }
}
