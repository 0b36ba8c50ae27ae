import SharedByTests
import Testing

@testable import HTTPServer

/// Tests over real sockets. They run one after the other, because they measure time and count descriptors.
@Suite("Over sockets", .serialized, .ownThreads)
enum SocketTests {}

extension SocketTests {
    @Suite("Requests")
    struct RequestTests {
        @Test("A connection is kept alive")
        func keepAlive() throws {
            let server = try TestServer()
            let client = try server.client()
            for round in 0..<3 {
                client.send("GET /a\(round) HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = client.readResponse()
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nDate: "))
                #expect(answer.hasSuffix("\r\n\r\nGET /a\(round) "))
            }
            #expect(server.server.connectionCount == 1)
        }

        @Test("Connection: close and HTTP/1.0 are closed, unless 1.0 asks for more")
        func closing() throws {
            let server = try TestServer()
            for head in ["GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"] {
                let client = try server.client()
                client.send(head)
                #expect(client.readAll().contains("\r\nConnection: close\r\n"))
            }
            let client = try server.client()
            for _ in 0..<2 {
                client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(client.readResponse().contains("\r\nConnection: keep-alive\r\n"))
            }
        }

        @Test("Pipelined requests are answered in order")
        func pipelining() throws {
            let server = try TestServer()
            let client = try server.client()
            var text = ""
            for round in 0..<500 {
                text += "POST /p\(round) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok\r\n"
            }
            text += "GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            client.send(text)
            let all = client.readAll()
            #expect(all.statuses == [Int](repeating: 200, count: 501))
            #expect(server.journal.all == (0..<500).map { "POST /p\($0)" } + ["GET /end"])
        }

        @Test("Requests that come byte by byte are served")
        func byteByByte() throws {
            let server = try TestServer()
            let client = try server.client()
            let requests =
                "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
                + "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n"
                + "GET /c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            for byte in latin1(requests) { client.send([byte]) }
            let all = client.readAll()
            #expect(all.statuses == [200, 200, 200])
            #expect(all.contains("POST /a hello") && all.contains("POST /b abcde") && all.hasSuffix("GET /c "))
        }

        @Test("Large bodies are complete, with a length and in chunks")
        func largeBodies() throws {
            let server = try TestServer()
            let body = String(repeating: "0123456789abcdef", count: 65536)
            let client = try server.client()
            client.send("POST /l HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
            #expect(client.readResponse().hasSuffix("POST /l " + body))
            var chunks = ""
            for start in stride(from: 0, to: 65536, by: 1024) {
                chunks += "4000\r\n" + body.utf8Slice(start * 16, 16384) + "\r\n"
            }
            client.send("POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n")
            #expect(client.readResponse().hasSuffix("POST /c " + body))
            #expect(server.onLoop { $0.bufferedBytes } == 0)
        }

        @Test("A GET may have a body, and HEAD answers without one")
        func bodiesOfOthers() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /g HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            #expect(client.readResponse().hasSuffix("GET /g abc"))
            client.send("HEAD /h HTTP/1.1\r\nHost: a\r\n\r\nGET /n HTTP/1.1\r\nHost: a\r\n\r\n")
            let both = client.read(until: "GET /n ")
            #expect(both.contains("Content-Length: 8\r\n\r\nHTTP/1.1 200 OK"))
            client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.readResponse().hasSuffix("OPTIONS * "))
            client.send("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.readResponse().statuses == [501])
        }

        @Test("A client that waits for 100 Continue gets it once, and one that does not wait gets none")
        func continues() throws {
            let server = try TestServer()
            let client = try server.client()
            let head = "PUT /x HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 4\r\n\r\n"
            client.send(head)
            #expect(client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            client.send("ab")
            client.send("cd")
            #expect(client.readResponse().hasSuffix("PUT /x abcd"))
            client.send(head + "abcd")
            let answer = client.readResponse()
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("PUT /x abcd"))
        }

        @Test("A half-closed client still gets its answers, also deferred ones")
        func halfClosed() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /defer HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finishSending()
            #expect(eventually { server.journal.held.count == 1 })
            let id = server.journal.held[0]
            #expect(server.onLoop { $0.answer(id) { $0.body("later", type: "text/plain") } } == true)
            let all = client.readAll()
            #expect(all.statuses == [200, 200] && all.hasSuffix("later"))
            #expect(server.isClean())
        }

        @Test("A half-closed client's incomplete request is dropped")
        func halfRequest() throws {
            let server = try TestServer()
            for text in ["", "GET", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na"] {
                let client = try server.client()
                client.send(text)
                client.finishSending()
                #expect(client.isClosed)
            }
            #expect(server.journal.all.isEmpty && server.isClean())
        }

        @Test("An answer that cannot be written becomes a 500")
        func injection() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /inject HTTP/1.1\r\nHost: a\r\n\r\nGET /inject HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finishSending()
            let all = client.readAll()
            #expect(all.statuses == [500, 500] && !all.contains("Set-Cookie"))
        }
    }
}

extension String {
    func utf8Slice(_ start: Int, _ count: Int) -> String {
        String(decoding: [UInt8](utf8)[start..<(start + count)], as: UTF8.self)
    }
}
