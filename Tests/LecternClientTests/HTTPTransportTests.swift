import Outbound
import SharedByTests
import Testing

@Suite("The transport", .ownThreads)
struct HTTPTransportTests {
    @Test("A silent server is given up after its timeout, and not before")
    func silent() async throws {
        let server = ScriptedServer([.stream("data: a\n\n", staysOpen: true)])
        let transport = try HTTPTransport()
        let request = HTTPRequest("GET", "http://127.0.0.1:\(server.port)/")
        let download = transport.open(request, silentSecondsMax: 1)
        #expect(try await download.head().status == 200)
        let start = ContinuousClock.now
        await #expect(throws: HTTPClientError.self) { while try await download.next() != nil {} }
        #expect(ContinuousClock.now - start >= .milliseconds(900))
        #expect(await comesTrue { server.wasLeft })
    }

    @Test("The transport names an unreachable server, returns a response's fields, and closes what nobody holds")
    func answers() async throws {
        let server = ScriptedServer([.status("201 Created", "X-A: b\r\n", body: "hello"), .stream("", staysOpen: true)])
        var transport: HTTPTransport? = try HTTPTransport()
        let url = "http://127.0.0.1:\(server.port)/"
        let answer = try await transport?.send(HTTPRequest("POST", url, body: Array("x".utf8)))
        #expect(answer?.status == 201 && answer?.fields["x-a"] == "b" && answer?.body == Array("hello".utf8))
        await #expect(throws: HTTPClientError.self) {
            try await HTTPTransport().send(HTTPRequest("GET", "http://127.0.0.1:1/"))
        }
        let download = transport?.open(HTTPRequest("GET", url), silentSecondsMax: 60)
        #expect(await comesTrue { server.requests.count == 2 })
        transport = nil
        #expect(await comesTrue { server.wasLeft })
        await #expect(throws: HTTPClientError.self) { while try await download?.next() != nil {} }
    }
}
