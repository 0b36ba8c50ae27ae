import Bytes
import FoundationEssentials
import HTTPServer
import JSON
import SharedByTests
import Testing

@testable import API

@Suite("Rates of requests", .ownThreads)
struct RateTests {
    private func service(
        token: String = "0", reader: String = "0", address: String = "0"
    ) throws -> TestService {
        var rates = RateLimits(
            token: try #require(RateLimit(token)), reader: try #require(RateLimit(reader)),
            address: try #require(RateLimit(address)))
        // These tests count requests: on slow machines, too, each must cost one.
        rates.unchargedNanosecondsMax = .max
        return try TestService { $0.rates = rates }
    }

    /// Sends requests until one is refused. Returns the refusal and the number of responses before it.
    private func exhaust(
        _ ask: () throws -> Answer, most: Int = 1000
    ) rethrows -> (refusal: Answer?, before: Int) {
        for number in 0..<most {
            let answer = try ask()
            if answer.status == 429 { return (answer, number) }
        }
        return (nil, most)
    }

    @Test(
        "A token that sends too many requests gets Retry-After; the reader's other tokens and other readers are served")
    func tokens() throws {
        let service = try service(token: "1:20")
        let ben = try service.reader("Ben")
        let other = try #require(
            try service.send("POST", "/v1/tokens", "{\"name\":\"other\"}", token: ben)["token"]?.string)
        let (found, before) = try exhaust { try service.send("GET", "/v1/me", token: ben) }
        let refusal = try #require(found)
        #expect((19...40).contains(before))
        #expect(refusal["type"]?.string == "/problems/too-often" && refusal["limit"]?["name"]?.string == "tokenRate")
        #expect(refusal.text.contains("\"max\":1}"))
        #expect(refusal.fields["retry-after"] == "1")
        #expect(try service.send("GET", "/v1/me", token: other).status == 200)
        #expect(try service.send("GET", "/v1/me", token: "").status == 401)
        #expect(eventually { (try? service.send("GET", "/v1/me", token: ben).status) == 200 })
    }

    @Test(
        "A batch with more lines than the burst is accepted when the bucket is full, and empties it")
    func heavyBatch() throws {
        let service = try service(token: "20:10")
        let ben = try service.reader("Ben")
        let line = "{\"method\":\"POST\",\"path\":\"/v1/books\",\"body\":{\"title\":\"Emma\"}}"
        let body = "{\"atomic\":true,\"requests\":[\([String](repeating: line, count: 50).joined(separator: ","))]}"
        let batch = { try service.send("POST", "/v1/batch", body, token: ben).status }
        // If this thread has to wait in between, the bucket may be full again.
        #expect(eventually { (try? batch()) == 200 && (try? batch()) == 429 })
        #expect(eventually { (try? batch()) == 200 })
    }

    @Test("The Retry-After of a batch is the time after which all of it is accepted")
    func batchAgain() throws {
        let service = try service(token: "1:8")
        let ben = try service.reader("Ben")
        let line = "{\"method\":\"POST\",\"path\":\"/v1/books\",\"body\":{\"title\":\"Emma\"}}"
        let body = "{\"atomic\":true,\"requests\":[\([String](repeating: line, count: 6).joined(separator: ","))]}"
        let batch = { try service.send("POST", "/v1/batch", body, token: ben) }
        #expect(try batch().status == 200)
        // One request is left in the bucket, or two on a slow machine: five or four lines are missing, and the request.
        let refusal = try batch()
        #expect(refusal.status == 429 && ["4", "5"].contains(refusal.fields["retry-after"] ?? ""), "\(refusal.fields)")
    }

    @Test("A batch of two requests is accepted with a burst of one")
    func smallestBurst() throws {
        let service = try service(token: "1000:1")
        let reader = try service.make("/v1/readers", "{\"name\":\"Ben\"}")
        var made: String?
        // The limit also holds for the administrator, whose first request was just before.
        #expect(
            try eventually {
                made = try service.send("POST", "/v1/tokens", "{\"name\":\"Ben\",\"reader\":\"\(reader)\"}")["token"]?
                    .string
                return made != nil
            })
        let ben = try #require(made)
        let line = "{\"method\":\"POST\",\"path\":\"/v1/books\",\"body\":{\"title\":\"Emma\"}}"
        let batch = {
            try service.send("POST", "/v1/batch", "{\"atomic\":true,\"requests\":[\(line),\(line)]}", token: ben).status
        }
        #expect(eventually { (try? batch()) == 200 })
    }

    @Test("A batch that the reader's limit refuses costs its token only one request")
    func refusedByReader() throws {
        let service = try service(token: "1:20", reader: "1:12")
        let ben = try service.reader("Ben")
        let line = "{\"method\":\"POST\",\"path\":\"/v1/books\",\"body\":{\"title\":\"Emma\"}}"
        let lines = [String](repeating: line, count: 10).joined(separator: ",")
        let batch = { try service.send("POST", "/v1/batch", "{\"atomic\":true,\"requests\":[\(lines)]}", token: ben) }
        #expect(try batch().status == 200)
        let refusal = try batch()
        #expect(refusal.status == 429 && refusal["limit"]?["name"]?.string == "readerRate", "\(refusal.text)")
        #expect(try service.send("GET", "/v1/me", token: ben).status == 200)
    }

    @Test("A refusal is delayed, so that a client without pauses is slowed, and others on the loop are not")
    func late() throws {
        let service = try service(token: "1:5")
        let ben = try service.reader("Ben")
        _ = try exhaust { try service.send("GET", "/v1/me", token: ben) }
        let wire = try Wire(service)
        let request = "GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ben)\r\n"
        let start = ContinuousClock.now
        // Three pipelined requests: each waits for the previous response.
        let answers = wire.answer(to: "\(request)\r\n\(request)\r\n\(request)Connection: close\r\n\r\n")
        #expect(answers.split(separator: "too-often").count >= 2)
        #expect(start.duration(to: .now) > .milliseconds(150))
    }

    @Test("Rates can be changed while the server runs")
    func reload() throws {
        let service = try service(token: "1:20")
        let ben = try service.reader("Ben")
        #expect(try exhaust { try service.send("GET", "/v1/me", token: ben) }.refusal != nil)
        service.reload { $0.rates = RateLimits(reader: RateLimit(perSecond: 1, burst: 30)) }
        #expect(eventually { (try? service.send("GET", "/v1/me", token: ben).status) == 200 })
        let refusal = try exhaust { try service.send("GET", "/v1/me", token: ben) }.refusal
        #expect(refusal?["limit"]?["name"]?.string == "readerRate")
    }

    @Test("A reader's tokens share the reader's rate")
    func readers() throws {
        let service = try service(reader: "1:30")
        let ben = try service.reader("Ben")
        let tokens = try (0..<3).map { number in
            try #require(
                try service.send("POST", "/v1/tokens", "{\"name\":\"\(number)\"}", token: ben)["token"]?.string)
        }
        var turn = 0
        let (refusal, before) = try exhaust {
            turn += 1
            return try service.send("GET", "/v1/me", token: tokens[turn % 3])
        }
        #expect(refusal?["limit"]?["name"]?.string == "readerRate" && (27...60).contains(before))
        #expect(try service.send("GET", "/v1/me").status == 200)
    }

    @Test("A bucket fills by its rate, and holds at most its burst")
    func filling() throws {
        let pipeline = try TestPipeline(rates: RateLimits(token: RateLimit(perSecond: 1, burst: 20)))
        for (seconds, allowed) in [(0, 20), (3, 3), (1000, 20)] as [(Int64, Int)] {
            pipeline.now += seconds * 1_000_000_000
            for _ in 0..<allowed { #expect(try pipeline.send("GET", "/v1/me", as: "admin").status == 200) }
            let refusal = try pipeline.send("GET", "/v1/me", as: "admin")
            #expect(refusal.status == 429 && refusal.fields["retry-after"] == "1")
        }
    }

    @Test("A batch counts as many requests as it has lines, and opening a stream as ten")
    func weights() throws {
        let service = try service(token: "1:30")
        let lines = (0..<26).map { _ in #"{"method":"PATCH","path":"/v1/me","body":{"name":"Ada"}}"# }
        let body = "{\"atomic\":false,\"requests\":[\(lines.joined(separator: ","))]}"
        #expect(try service.send("POST", "/v1/batch", body).status == 200)
        #expect(try service.send("POST", "/v1/batch", body).status == 429)
        let other = try service.reader("Ben")
        #expect(try service.send("GET", "/v1/me", token: other).status == 200)
        let streams = try (0..<4).map { _ in
            try Wire(service).head(
                "HEAD /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(other)\r\nAccept: text/event-stream\r\n\r\n"
            )
        }
        #expect(streams[0].hasPrefix("HTTP/1.1 200") && streams[3].hasPrefix("HTTP/1.1 429"))
    }

    @Test("Requests for unknown paths count for the address; preflight requests do not")
    func strays() throws {
        let service = try service(address: "1:20")
        let (found, before) = try exhaust { try service.send("GET", "/v1/nothing") }
        #expect(found?["limit"]?["name"]?.string == "addressRate" && (20...40).contains(before))
        #expect(try service.send("PUT", "/v1/books", "{}").status == 429)
        #expect(try service.send("BREW", "/v1/books").status == 429)
        for _ in 0..<50 {
            #expect(try service.send("OPTIONS", "/v1/books", token: "").status == 204)
            #expect(try service.send("GET", "/v1/books").status == 200)
        }
    }

    @Test("An import counts as many requests as it has lines")
    func imports() throws {
        let service = try service(token: "1:60")
        let ben = try service.reader("Ben")
        let account = try #require(try service.send("GET", "/v1/me", token: ben)["id"]?.string)
        let lines = (0..<50).map { _ in "{\"kind\":\"nothing\"}" }
        let body = "{\"account\":\"\(account)\",\"lines\":[\(lines.joined(separator: ","))]}"
        #expect(try service.send("POST", "/v1/me/import", body, token: ben).status == 200)
        #expect(try service.send("POST", "/v1/me/import", body, token: ben).status == 429)
    }

    @Test(
        "Requests without a known token count for their address, and signed-in readers at that address are still served"
    )
    func addresses() throws {
        let service = try service(address: "1:20")
        let (found, before) = try exhaust { try service.send("GET", "/v1/me", token: "lectern_guess") }
        let refusal = try #require(found)
        #expect(refusal["limit"]?["name"]?.string == "addressRate" && (20...40).contains(before))
        #expect(try service.send("GET", "/openapi.yaml", token: "").status == 429)
        for _ in 0..<50 {
            #expect(try service.send("GET", "/v1/me").status == 200)
            #expect(try service.send("GET", "/healthz", token: "").status == 200)
        }
    }

    @Test("Behind a proxy each client has its own address; a network of IPv6 counts as one")
    func proxies() throws {
        let proxies = [try AddressRange("127.0.0.1")]
        let forwarding = try #require(ForwardedClientAddress(field: "X-Forwarded-For", proxies: proxies))
        let rates = RateLimits(address: RateLimit(perSecond: 1, burst: 20))
        let service = try TestService {
            $0.rates = rates
            $0.forwarding = forwarding
        }
        func ask(_ client: String) throws -> Answer {
            try service.send("GET", "/openapi.yaml", token: "", fields: ["X-Forwarded-For: \(client)"])
        }
        #expect(try exhaust { try ask("6.6.6.6, 203.0.113.7") }.refusal != nil)
        #expect(try ask("7.7.7.7, 203.0.113.7").status == 429)
        #expect(try ask("203.0.113.7, 203.0.113.8").status == 200)
        var host = 0
        let refused = try exhaust {
            host += 1
            return try ask("2001:db8:0:7::\(host)")
        }
        #expect(refused.refusal != nil)
        #expect(try ask("2001:db8:0:8::1").status == 200)
    }
}
