import HTTPServer
import Outbound
import Testing

@Suite("Concurrent requests")
struct HTTPLanesTests {
    private final class Echo: RequestHandler {
        func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> HandlerResult {
            response.status(200)
            response.field("X-Path", request.path)
            response.body(request.body, type: "text/plain")
            return .answered
        }
    }

    @Test("Each response returns in the lane of its request, and lanes are reused")
    func answers() throws {
        let server = HTTPServer(loops: 1) { _ in Echo() }
        let port = try server.listen(tcp: "127.0.0.1", port: 0)
        try server.start()
        let lanes = try HTTPRequestLanes(3)
        var asked: [Int: Int] = [:]
        var (next, answered) = (0, 0)
        while true {
            while next < 20, lanes.hasRoom {
                let body = Array("hello \(next)".utf8)
                let started = lanes.start(HTTPRequest("PUT", "http://127.0.0.1:\(port)/\(next)", body: body))
                let lane = try #require(started)
                #expect(asked[lane] == nil)
                asked[lane] = next
                next += 1
            }
            #expect(asked.count == 3 || next == 20)
            guard let (lane, outcome) = lanes.next() else { break }
            let response = try outcome.get()
            let number = try #require(asked[lane])
            asked[lane] = nil
            #expect(response.fields["x-path"] == "/\(number)" && response.body == Array("hello \(number)".utf8))
            answered += 1
        }
        #expect(answered == 20)
        server.drain(deadlineSeconds: 1)
        server.wait()
    }

    @Test("An unreachable server is named in each lane, and one request too many is refused")
    func refused() throws {
        let lanes = try HTTPRequestLanes(2)
        for _ in 0..<2 { #expect(lanes.start(HTTPRequest("GET", "http://127.0.0.1:1/")) != nil) }
        #expect(!lanes.hasRoom && lanes.start(HTTPRequest("GET", "http://127.0.0.1:1/")) == nil)
        for _ in 0..<2 {
            guard case .failure(let error)? = lanes.next()?.outcome else {
                Issue.record("somebody was there")
                return
            }
            #expect(error.isRefused && "\(error)".contains("cannot reach http://127.0.0.1:1/"))
        }
        #expect(lanes.next() == nil && lanes.hasRoom)
    }
}
