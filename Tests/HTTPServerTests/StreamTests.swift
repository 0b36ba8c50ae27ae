import HTTPServer
import SharedByTests
import Testing

extension SocketTests {
    @Suite("Streams and deferred answers")
    struct StreamTests {
        private func open(_ server: TestServer, receiveBuffer: Int32? = nil) throws -> TestClient {
            let client = try TestClient(port: server.port, receiveBuffer: receiveBuffer)
            let before = server.journal.count("writable")
            client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(
                client.read(until: "\r\n\r\n5\r\n:hi\n\n\r\n").contains(
                    "\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"))
            #expect(eventually { server.journal.count("writable") == before + 1 })
            return client
        }

        @Test("A stream sends its head at once, then chunks of frames, and a last chunk")
        func frames() throws {
            let server = try TestServer()
            let client = try open(server)
            let id = server.journal.held[0]
            #expect(server.onLoop { $0.send([97, 10], to: id) } == .sent)
            #expect(server.onLoop { $0.send([[98, 10], [99, 10]], to: id) } == .sent)
            #expect(server.onLoop { $0.send([[UInt8]](), to: id) } == .sent)
            server.onLoop { $0.end(id) }
            #expect(client.readAll() == "2\r\na\n\r\n4\r\nb\nc\n\r\n0\r\n\r\n")
            client.finishSending()
            #expect(server.onLoop { $0.send([97], to: id) } == .gone)
            #expect(server.isClean())
            #expect(server.journal.count("closed") == 0)
        }

        @Test("A stream to HTTP/1.0 has no chunks, and ends by closing")
        func framesOf10() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /stream HTTP/1.0\r\n\r\n")
            let head = client.read(until: ":hi\n\n")
            #expect(head.hasSuffix("Connection: close\r\n\r\n:hi\n\n") && !head.contains("chunked"))
            #expect(eventually { server.journal.count("writable") == 1 })
            let id = server.journal.held[0]
            #expect(server.onLoop { $0.send([[98, 10], [99, 10]], to: id) } == .sent)
            server.onLoop { $0.end(id) }
            #expect(client.readAll() == "b\nc\n")
        }

        @Test(
            "A chunk begins with its length", arguments: [1, 9, 10, 15, 16, 255, 256, 4096, 70_000])
        func chunkHeads(_ count: Int) throws {
            let server = try TestServer()
            let client = try open(server)
            let id = server.journal.held[0]
            server.onLoop {
                _ = $0.send([UInt8](repeating: 120, count: count), to: id)
                $0.end(id)
            }
            let text = String(repeating: "x", count: count)
            #expect(client.readAll() == "\(String(count, radix: 16))\r\n\(text)\r\n0\r\n\r\n")
        }

        @Test("The last chunk comes after all that was kept")
        func endOfKept() throws {
            let server = try TestServer()
            let client = try open(server, receiveBuffer: 4096)
            let id = server.journal.held[0]
            let frame = [UInt8](repeating: 120, count: 100_000)
            while server.onLoop({ $0.send(frame, to: id) }) == .sent {}
            server.onLoop { $0.end(id) }
            #expect(client.readAll().hasSuffix("xx\r\n0\r\n\r\n"))
        }

        @Test("A slow reader's remaining bytes are kept, and the stream is writable again afterwards")
        func slowReader() throws {
            let server = try TestServer()
            let client = try open(server, receiveBuffer: 4096)
            let id = server.journal.held[0]
            let frame = [UInt8](repeating: 120, count: 100_000)
            var sent = 0
            while server.onLoop({ $0.send(frame, to: id) }) == .sent { sent += 1 }
            // More bytes are kept, too.
            #expect(server.onLoop { $0.send([frame, [10]], to: id) } == .kept)
            #expect(server.journal.count("writable") == 1)
            let framing = "186a0\r\n\r\n".utf8.count
            let expected = (sent + 2) * (frame.count + framing) + 1
            var read = 0
            while read < expected, let bytes = client.read() { read += bytes.count }
            #expect(read == expected)
            #expect(eventually { server.journal.count("writable") == 2 })
            #expect(server.onLoop { $0.send([97, 10], to: id) } == .sent)
            #expect(client.read(until: "a\n\r\n") == "2\r\na\n\r\n")
            #expect(server.onLoop { $0.bufferedBytes } == 0)
        }

        @Test("A reader that keeps up is not delayed by its own acknowledgements")
        func flow() throws {
            let server = try TestServer()
            let client = try open(server)
            let id = server.journal.held[0]
            let count = 7_000_000
            let expected = count + "6acfc0\r\n\r\n".utf8.count
            var isQuick = false
            // At 40 ms for every 64 KiB it would take over four seconds each time. A busy machine may take that long
            // once.
            for _ in 0..<20 where !isQuick {
                let start = ContinuousClock.now
                _ = server.onLoop { $0.send([UInt8](repeating: 120, count: count), to: id) }
                var read = 0
                while read < expected, let bytes = client.read() { read += bytes.count }
                #expect(read == expected)
                isQuick = ContinuousClock.now - start < .seconds(3)
            }
            #expect(isQuick)
        }

        @Test("A stream that never reads is closed, by its bytes or by its time")
        func neverReads() throws {
            let server = try TestServer {
                $0.streamKeptBytesMax = 1_000_000
                $0.writeStallSecondsMax = 1
            }
            let first = try open(server, receiveBuffer: 4096)
            let second = try open(server, receiveBuffer: 4096)
            let held = server.journal.held
            let frame = [UInt8](repeating: 120, count: 100_000)
            #expect(eventually { server.onLoop { $0.send(frame, to: held[0]) } == .gone })
            while server.onLoop({ $0.send(frame, to: held[1]) }) == .sent {}
            #expect(server.isClean())
            #expect(server.journal.count("closed") == 2)
            _ = (first, second)
        }

        @Test("A stream ignores input, becomes idle, and gets a notification when its client disconnects")
        func quiet() throws {
            let server = try TestServer { $0.streamIdleSeconds = 1 }
            let client = try open(server)
            client.send("GET /ignored HTTP/1.1\r\nHost: a\r\n\r\n")
            let heartbeat = "3\r\n:\n\n\r\n"
            #expect(client.read(until: heartbeat + heartbeat) == heartbeat + heartbeat)
            #expect(server.journal.count("idle") == 2 && server.journal.count("GET /ignored") == 0)
            client.finishSending()
            #expect(eventually { server.journal.count("closed") == 1 })
            #expect(server.isClean())
        }

        @Test("A client whose machine lost its connection is detected without data; a quiet connected one is not")
        func cutOff() throws {
            let server = try TestServer {
                $0.streamProbeSeconds = 1
                $0.streamUnheardSecondsMax = 2
            }
            let (gone, quiet) = (try open(server), try open(server))
            let held = server.journal.held
            #expect(cut(gone.descriptor))
            #expect(eventually { (server.onLoop { $0.millisecondsSinceLastAck(held[0]) ?? 0 } ?? 0) > 1500 })
            #expect(eventually { server.journal.count("closed") == 1 })
            #expect(server.onLoop { $0.millisecondsSinceLastAck(held[0]) } == .some(nil))
            #expect((server.onLoop { $0.millisecondsSinceLastAck(held[1]) ?? .max } ?? .max) < 1500)
            _ = quiet
        }

        @Test("A client that disconnects before its stream begins is detected")
        func goneBefore() throws {
            let server = try TestServer()
            for round in 1...20 {
                let client = try server.client()
                let isDeferred = round % 2 == 0
                client.send("GET /\(isDeferred ? "defer" : "stream") HTTP/1.1\r\nHost: a\r\n\r\n")
                client.finishSending()
                #expect(eventually { server.journal.held.count == round })
                let id = server.journal.held[round - 1]
                if isDeferred { server.onLoop { $0.answer(id) { $0.stream([10], type: "text/event-stream") } } }
                #expect(eventually { server.journal.count("closed") == round })
            }
            #expect(server.isClean())
        }

        @Test("A half-closed client gets all of a finite stream, and a reset one ends it")
        func finite() throws {
            let server = try TestServer()
            let piece = [UInt8](repeating: 120, count: 60_000)
            func open() throws -> (client: TestClient, id: ConnectionID) {
                let count = server.journal.count("writable")
                let client = try server.client()
                client.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n")
                client.finishSending()
                #expect(eventually { server.journal.count("writable") == count + 1 })
                let id = try #require(server.journal.held.last)
                #expect(eventually { server.onLoop { $0.isClientDone(id) } == true })
                #expect(server.onLoop { $0.send(piece, to: id) } != .gone)
                return (client, id)
            }
            do {
                let (client, id) = try open()
                #expect(server.onLoop { $0.send(piece, to: id) } != .gone)
                server.onLoop { $0.end(id) }
                let all = client.readAll()
                #expect(all.hasSuffix("\r\n0\r\n\r\n") && all.utf8.count { $0 == 120 } >= 120_000)
            }
            do { try open().client.reset() }
            #expect(eventually { server.journal.count("closed") == 1 })
            #expect(server.isClean())
        }

        @Test("HEAD of a stream has the fields of its GET, and ends the connection like it")
        func head() throws {
            let server = try TestServer()
            let heads = try ["HEAD", "GET"].map { method in
                let client = try server.client()
                client.send("\(method) /stream HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\r\n\r\n")
                return method == "HEAD" ? client.readAll() : client.read(until: ":hi\n\n\r\n")
            }
            let fields = heads.map { $0.split(separator: "\r\n").filter { $0.contains(": ") && !$0.hasPrefix("Date") } }
            #expect(fields[0] == fields[1] && heads[0].hasSuffix("\r\n\r\n"))
            #expect(heads[0].field("Connection") == "close")
            #expect(try server.isAlive() && server.journal.held.count == 2 && server.journal.count("writable") <= 1)
        }

        @Test("A deferred answer comes later, once, and the requests behind it wait")
        func deferred() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /defer HTTP/1.1\r\nHost: a\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HT")
            #expect(eventually { server.journal.held.count == 1 })
            client.send("TP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try server.isAlive())
            #expect(server.journal.count("GET /a") == 0)
            let id = server.journal.held[0]
            let both = server.onLoop { loop in
                [loop.answer(id) { $0.body("later", type: "text/plain") }, loop.answer(id) { $0.status(500) }]
            }
            #expect(both == [true, false])
            let all = client.readAll()
            #expect(all.statuses == [200, 200, 200])
            #expect(all.contains("later") && all.hasSuffix("GET /b "))
        }

        @Test("A deferred answer may become a stream")
        func deferredStream() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("GET /defer HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.journal.held.count == 1 })
            let id = server.journal.held[0]
            server.onLoop { $0.answer(id) { $0.stream([49, 10], type: "text/event-stream") } }
            #expect(client.read(until: "1\n\r\n").hasSuffix("\r\n\r\n2\r\n1\n\r\n"))
            #expect(eventually { server.journal.count("writable") == 1 })
            #expect(server.onLoop { $0.send([50, 10], to: id) } == .sent)
            #expect(client.read(until: "2\n\r\n") == "2\r\n2\n\r\n")
        }

        @Test("A client that is reset while it waits is reported, and cannot be answered")
        func deferredGone() throws {
            let server = try TestServer()
            do {
                let client = try server.client()
                client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(eventually { server.journal.held.count == 1 })
                client.reset()
            }
            #expect(eventually { server.journal.count("closed") == 1 })
            let id = server.journal.held[0]
            #expect(server.onLoop { $0.answer(id) { $0.empty() } } == false)
            #expect(server.isClean())
        }

        @Test("Jobs run in order, and before the next request")
        func inbox() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(String(repeating: "GET /job HTTP/1.1\r\nHost: a\r\n\r\n", count: 3) + "GET /z HTTP/1.0\r\n\r\n")
            _ = client.readAll()
            #expect(server.journal.all == ["GET /job", "job", "GET /job", "job", "GET /job", "job", "GET /z"])
            let journal = server.journal
            for number in 0..<1000 { server.server.loops[0].execute { journal.note("\(number)") } }
            #expect(eventually { journal.all.count == 1007 })
            #expect(Array(journal.all.dropFirst(7)) == (0..<1000).map { "\($0)" })
        }
    }
}
