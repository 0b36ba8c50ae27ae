import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

@Suite("Watching", .serialized, .ownThreads)
struct WatchTests {
    @Test("A stream of a reading sends a snapshot, then its changes with the changed fields")
    func reading() throws {
        let service = try TestService()
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        let reading = try service.make("/v1/readings", "{\"book\":\"\(book)\"}")
        let watcher = try Watcher(service, "/v1/readings/\(reading)")
        #expect(watcher.wait(count: 1) && watcher.names == ["snapshot"])
        _ = try service.make("/v1/readings/\(reading)/entries", "{\"progress\":0.5}")
        _ = try service.send("PATCH", "/v1/readings/\(reading)", "{\"state\":\"reading\"}")
        _ = try service.send("DELETE", "/v1/readings/\(reading)")
        #expect(watcher.wait(count: 3) && watcher.names == ["snapshot", "updated", "deleted"])
        #expect(watcher.events[1].data.contains("\"changed\":[\"progress\",\"latestEntry\",\"latestEntryAt\"]"))
    }

    @Test("A stream is chunked, has its retry in the first event's block, and ends with a last chunk")
    func framing() throws {
        let service = try TestService()
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        let watcher = try Watcher(service, "/v1/books/\(book)")
        #expect(watcher.wait(count: 1))
        #expect(watcher.head.contains("\r\nTransfer-Encoding: chunked\r\n") && !watcher.isComplete)
        let wire = try Wire(service)
        wire.send(
            "GET /v1/books/\(book) HTTP/1.0\r\nAccept: text/event-stream\r\nAuthorization: Bearer \(service.token)\r\n\r\n"
        )
        let text = wire.read(until: "\n\n")
        #expect(text.contains(#/\r\n\r\nretry: [0-9]+\nid: [0-9a-f]{8}-[0-9]+\nevent: snapshot\ndata: /#))
        service.stop()
        #expect(watcher.wait { $0.isEnded } && watcher.isComplete)
    }

    @Test("HEAD of a stream has the fields of GET, opens no stream, and closes the connection")
    func head() throws {
        let service = try TestService()
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        let watcher = try Watcher(service, "/v1/books/\(book)")
        #expect(watcher.wait(count: 1))
        let fields = "Host: t\r\nAccept: text/event-stream\r\nAuthorization: Bearer \(service.token)\r\n\r\n"
        func names(_ head: String) -> [String] {
            head.split(separator: "\r\n").filter { !$0.hasPrefix("Date: ") && !$0.hasPrefix("X-Request-Id: ") }
                .map(String.init)
        }
        for path in ["/v1/books/\(book)", "/v1/books", "/v1/changes"] {
            let head = try Wire(service).answer(to: "HEAD \(path) HTTP/1.1\r\n\(fields)")
            #expect(names(head) == names(watcher.head) && head.hasSuffix("\r\nConnection: close\r\n\r\n"), "\(path)")
        }
        let none = try Wire(service).head("HEAD /v1/books/01890000-0000-7000-8000-000000000001 HTTP/1.1\r\n\(fields)")
        #expect(none.hasPrefix("HTTP/1.1 404 ") && none.hasSuffix("\r\n\r\n"))
        #expect(
            try eventually { try service.send("GET", "/metrics").text.contains("\nlectern_subscriptions 1\n") })
    }

    @Test("A filtered list sends enter and leave")
    func membership() throws {
        let service = try TestService()
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\",\"language\":\"en\"}")
        let watcher = try Watcher(service, "/v1/books?q=lucky&language=fr")
        #expect(watcher.wait(count: 1))
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Lucky Luke\"}")
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"language\":\"fr\"}")
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"pageCount\":48}")
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Unlucky\"}")
        _ = try service.make("/v1/books", "{\"title\":\"Lucky\",\"language\":\"fr\"}")
        #expect(watcher.wait(count: 5) && watcher.names == ["snapshot", "enter", "updated", "leave", "enter"])
    }

    @Test("A card changes with its book, also in replays")
    func cards() throws {
        let service = try TestService()
        let book = try service.make("/v1/books", "{\"title\":\"One\",\"pageCount\":100}")
        let reading = try service.make("/v1/readings", "{\"book\":\"\(book)\"}")
        let live = try Watcher(service, "/v1/cards")
        #expect(live.wait(count: 1))
        _ = try service.make("/v1/readings/\(reading)/entries", "{\"page\":10}")
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Two\"}")
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"language\":\"en\"}")
        _ = try service.make("/v1/readings/\(reading)/entries", "{\"page\":20}")
        #expect(live.wait(count: 4) && live.names == ["snapshot", "updated", "updated", "updated"])
        let again = try Watcher(service, "/v1/cards", lastEventID: live.events[0].id)
        #expect(again.wait(count: 3) && again.events == Array(live.events.dropFirst()))
        let card = try service.send("GET", "/v1/cards/\(reading)")
        #expect(live.events.last?.data.contains("\"value\":\(card.text)") == true)
    }

    @Test("fields= narrows the updates of a stream")
    func fields() throws {
        let service = try TestService()
        let book = try service.make("/v1/books", "{\"title\":\"One\"}")
        let watcher = try Watcher(service, "/v1/books/\(book)?fields=title")
        #expect(watcher.wait(count: 1))
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"pageCount\":10}")
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Two\"}")
        #expect(watcher.wait(count: 2) && watcher.events[1].data.contains("\"title\":\"Two\""))
    }

    @Test("A resumed stream sends exactly the missed events, also across a restart")
    func resume() throws {
        let service = try TestService()
        let whole = try Watcher(service, "/v1/changes")
        #expect(whole.wait(count: 1))
        for number in 0..<20 { _ = try service.make("/v1/books", "{\"title\":\"\(number)\"}") }
        #expect(whole.wait(count: 21))
        let all = Array(whole.events.dropFirst())
        for place in [0, 7, 18] {
            let part = try Watcher(service, "/v1/changes", lastEventID: all[place].id)
            #expect(part.wait(count: 19 - place) && part.events == Array(all[(place + 1)...]))
        }
        try service.restart()
        let later = try Watcher(service, "/v1/changes", lastEventID: all[4].id)
        #expect(later.wait(count: 15) && later.events == Array(all[5...]))
    }

    @Test(
        "A cursor that cannot be served gets one reset and a snapshot",
        arguments: ["0badcafe-1", "x", "{epoch}-999999", "{epoch}-1"])
    func reset(_ cursor: String) throws {
        let service = try TestService()
        for number in 0..<5 { _ = try service.make("/v1/books", "{\"title\":\"\(number)\"}") }
        let epoch = try service.head().prefix(8)
        if cursor.hasSuffix("-1"), cursor.hasPrefix("{") {
            try service.restart { $0.store.retentionCountMax = 2 }
            _ = try eventually { try service.send("GET", "/v1/changes?after=\(epoch)-1").status != 200 }
        }
        let watcher = try Watcher(
            service, "/v1/books", lastEventID: cursor.replacingOccurrences(of: "{epoch}", with: epoch))
        #expect(watcher.wait(count: 2) && watcher.names == ["reset", "snapshot"] && watcher.status == "HTTP/1.1 200")
    }

    @Test("Nobody receives private resources of another reader, live or replayed")
    func privacy() throws {
        let service = try TestService()
        let (ada, bob) = (try service.reader("ada"), try service.reader("bob"))
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        let start = try service.head(token: bob)
        let live = try Watcher(service, "/v1/changes", token: bob, lastEventID: start)
        let reading = try service.make("/v1/readings", "{\"book\":\"\(book)\"}", token: ada)
        _ = try service.make("/v1/readings/\(reading)/entries", "{\"progress\":0.5,\"note\":\"secret\"}", token: ada)
        _ = try service.send("PATCH", "/v1/books/\(book)", "{\"title\":\"Dawn\"}")
        let replayed = try Watcher(service, "/v1/changes", token: bob, lastEventID: start)
        #expect(live.wait(count: 1) && replayed.wait(count: 1))
        #expect(live.names == ["updated"] && replayed.events == live.events)
        #expect(try Watcher(service, "/v1/readings/\(reading)", token: bob).wait { $0.status == "HTTP/1.1 404" })
    }

    @Test("A stream ends with its token's revocation, and sends nothing after it")
    func revoked() throws {
        let service = try TestService()
        let answer = try service.send("POST", "/v1/tokens", "{\"name\":\"phone\"}")
        let watcher = try Watcher(service, "/v1/books", token: answer["token"]?.string)
        #expect(watcher.wait(count: 1))
        _ = try service.send("DELETE", "/v1/tokens/\(answer["id"]?.string ?? "")")
        _ = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        #expect(watcher.wait { $0.isEnded } && watcher.names == ["snapshot"])
    }

    @Test("A long poll gets the next change, or an empty response at its end")
    func longPoll() throws {
        let service = try TestService()
        let cursor = try service.head()
        let empty = try service.send("GET", "/v1/changes?after=\(cursor)", fields: ["Prefer: wait=1"])
        #expect(empty.status == 200 && empty["items"]?.elements.isEmpty == true)
        let watcher = try Watcher(service, "/v1/changes", lastEventID: cursor)
        let poll = Thread.detach {
            try? service.send("GET", "/v1/changes?after=\(cursor)", fields: ["Prefer: wait=20"])
        }
        _ = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        #expect(watcher.wait(count: 1))
        let answer = poll.value()
        #expect(answer?["items"]?.elements.map { $0["change"]?.string } == ["created"])
    }
}
