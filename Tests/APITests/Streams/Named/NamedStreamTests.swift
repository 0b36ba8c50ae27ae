import Foundation
import JSON
import Model
import SharedByTests
import Testing

@testable import API

@Suite("Streams of several URLs", .ownThreads)
struct NamedStreamTests {
    /// A service with a book and a reading, which entries change.
    private struct Scenario {
        let service: TestService
        let book: String
        let reading: String

        init() throws {
            service = try TestService()
            book = try service.make("/v1/books", #"{"title":"Emma","pageCount":400}"#)
            reading = try service.make("/v1/readings", "{\"book\":\"\(book)\"}")
        }

        func record(_ page: Int) throws {
            _ = try service.make("/v1/readings/\(reading)/entries", "{\"page\":\(page)}")
        }

        func head() throws -> Int64 { try Int64(service.head().split(separator: "-")[1]) ?? 0 }
    }

    @Test("A write of a stream can be repeated with an Idempotency-Key, and its stored response passes the check")
    func repeated() throws {
        let service = try TestService()
        for _ in 1...2 {
            let made = try service.send(
                "POST", "/v1/streams", #"{"watch":{"books":"/v1/books"}}"#, fields: ["Idempotency-Key: k"])
            #expect(made.status == 201, "\(made.text)")
        }
        _ = try service.make("/v1/books", #"{"title":"Dawn"}"#)
        // Each test's service checks the database in the end.
    }

    @Test("A change is one event for all names that it concerns, and the last one of its transaction says so")
    func events() throws {
        let scenario = try Scenario()
        let path = "/v1/readings/\(scenario.reading)"
        let stream = try TestStream(
            scenario.service,
            "{\"now\":\"\(path)\",\"list\":\"/v1/readings?state=reading\",\"marks\":\"\(path)/entries\"}")
        let start = try scenario.head()
        let watcher = try stream.open()
        #expect(watcher.wait { $0.lastID != nil })
        try scenario.record(10)
        #expect(watcher.wait { $0.received.count == 7 })
        let (entry, reading) = (start + 1, start + 2)
        #expect(
            watcher.received == [
                "subscribed now,list,marks \(start)", "now snapshot \(start)", "list snapshot \(start)",
                "marks snapshot \(start)", "marks enter \(entry)", "now updated \(reading)", "list updated \(reading)",
            ])
        let changes = watcher.events.filter { $0.name == "change" }
        #expect(changes.map { $0.value?["isLast"]?.bool } == [nil, true])
        #expect(changes.map { $0.value?["transaction"]?.integer } == [entry, entry])
        let single = try scenario.service.send("GET", path)
        #expect(changes.last?.value?["value"].map { $0.encoded } == Array(single.text.utf8))
    }

    @Test("A patch switches names at one position, and does not affect others")
    func switched() throws {
        let scenario = try Scenario()
        let path = "/v1/readings/\(scenario.reading)"
        let before = try scenario.service.head()
        let stream = try TestStream(scenario.service, "{\"now\":\"\(path)\",\"books\":\"/v1/books\"}")
        let watcher = try stream.open()
        #expect(watcher.wait { $0.lastID != nil })
        try scenario.record(10)
        let seq = try stream.patch(
            "{\"watch\":{\"books\":null,\"marks\":{\"url\":\"\(path)/entries\",\"after\":\"\(before)\"},\"all\":\"/v1/readings\"}}"
        )
        // On a busy machine the list may begin later, and then has the next entry already.
        #expect(watcher.wait { $0.received.contains { $0.hasPrefix("all snapshot") } })
        try scenario.record(20)
        _ = try scenario.service.make("/v1/books", #"{"title":"Persuasion"}"#)
        #expect(watcher.wait { $0.received.last == "all updated \(seq + 2)" || $0.received.count >= 11 })
        #expect(
            watcher.received.dropFirst(3) == [
                "now updated \(seq)", "subscribed marks,all \(seq)", "all snapshot \(seq)", "marks enter \(seq - 1)",
                "marks enter \(seq + 1)", "now updated \(seq + 2)", "all updated \(seq + 2)",
            ])
        #expect(watcher.wait { $0.lastID?.hasSuffix(".r2") ?? false })
        let again = try stream.patch("{\"watch\":{\"all\":\"/v1/readings\"}}")
        #expect(again > 0 && watcher.received.count == 10)
    }

    @Test("A stream reopens at its position after kill and restart, and names added meanwhile begin with a snapshot")
    func reopened() throws {
        let scenario = try Scenario()
        let path = "/v1/readings/\(scenario.reading)"
        let stream = try TestStream(scenario.service, "{\"now\":\"\(path)\"}")
        let first = try stream.open()
        #expect(first.wait { $0.lastID != nil })
        let last = try #require(first.lastID)
        try scenario.service.restart()
        try scenario.record(10)
        let seq = try stream.patch("{\"watch\":{\"books\":\"/v1/books\"}}")
        let second = try stream.open(after: last)
        #expect(second.wait { $0.received.count == 3 && $0.lastID?.hasSuffix(".r2") ?? false })
        #expect(Set(second.received) == ["subscribed books \(seq)", "books snapshot \(seq)", "now updated \(seq)"])
        let third = try stream.open(after: second.lastID)
        #expect(second.wait { $0.isEnded } && second.names.last == "taken")
        try scenario.record(20)
        #expect(third.wait { $0.received.count == 1 } && third.received == ["now updated \(seq + 2)"])
        for cursor in ["nonsense", "00000000-1.r1", last.replacing(/-\d+/, with: "-999999"), last + "9"] {
            let lost = try stream.open(after: cursor)
            #expect(lost.wait { $0.lastID != nil } && lost.names.first == "reset", "\(cursor)")
        }
    }

    @Test("A stream's URL only reads it, and ends with its token")
    func secret() throws {
        let scenario = try Scenario()
        let ada = try scenario.service.reader("Ada", scope: "read")
        let stream = try TestStream(scenario.service, "{\"books\":\"/v1/books\"}", token: ada)
        let watcher = try stream.open()
        #expect(watcher.wait { $0.lastID != nil })
        let other = try TestStream(scenario.service, "{\"books\":\"/v1/books\"}")
        let secret = stream.url.split(separator: "=")[1]
        for path in ["/v1/streams/\(other.id)/events?secret=\(secret)", "/v1/streams/\(stream.id)/events?secret=x"] {
            #expect(try scenario.service.send("GET", path, token: "").status == 404)
        }
        for (method, path, body) in [
            ("GET", "/v1/streams/\(stream.id)", nil), ("PATCH", "/v1/streams/\(stream.id)", "{}"),
            ("DELETE", "/v1/streams/\(stream.id)", nil),
        ] {
            #expect(try scenario.service.send(method, path, body, token: "").status == 401)
            #expect(try scenario.service.send(method, path, body, token: String(secret)).status == 401)
        }
        #expect(try scenario.service.send("GET", "/v1/streams/\(stream.id)").status == 404)
        #expect(try !scenario.service.send("GET", "/v1/streams", token: ada).text.contains(secret))
        let token = try #require(
            try scenario.service.send("GET", "/v1/streams/\(stream.id)", token: ada)["token"]?.string)
        #expect(try scenario.service.send("DELETE", "/v1/tokens/\(token)").status == 204)
        #expect(watcher.wait { $0.isEnded } && watcher.events.last?.data == #"{"reason":"tokenRevoked"}"#)
        #expect(try scenario.service.send("GET", stream.url, token: "").status == 204)
    }

    @Test("A watched URL has no cursor: after is beside it")
    func cursors() throws {
        let service = try Scenario().service
        for (url, hint) in [("/v1/books?after=", "the member after"), ("/v1/changes?cursor=", "send it as after")] {
            let answer = try service.send("POST", "/v1/streams", #"{"watch":{"x":"\#(url)"}}"#)
            #expect(answer.pointers == ["/watch/x"] && answer.text.contains(hint), "\(answer.text)")
        }
    }

    @Test("A stream ends when it is deleted, and when nobody reopens it within its lease")
    func ends() throws {
        let scenario = try Scenario()
        let stream = try TestStream(scenario.service, "{\"books\":\"/v1/books\"}")
        let watcher = try stream.open()
        #expect(watcher.wait { $0.lastID != nil })
        #expect(try scenario.service.send("DELETE", "/v1/streams/\(stream.id)").status == 204)
        #expect(watcher.wait { $0.isEnded } && watcher.events.last?.data == #"{"reason":"deleted"}"#)
        #expect(try scenario.service.send("GET", stream.url, token: "").status == 404)
        let brief = try TestStream(scenario.service, "{\"books\":\"/v1/books\"}", ",\"lease\":10")
        #expect(try scenario.service.send("GET", "/v1/streams")["items"]?.elements.map { $0 }.count == 1)
        #expect(
            eventually {
                (try? scenario.service.send("GET", "/v1/streams/\(brief.id)"))?.status == 404
            })
    }

    @Test("Whether a stream can be opened is asked without a longer lease")
    func lease() {
        let id = ResourceID(madeAt: .now)
        let leases = StreamLeases([(id, 1)])
        #expect(leases.holds(id) && leases.over().isEmpty)
        #expect(eventually { leases.over() == [id] } && !leases.holds(id))
    }

    @Test("A name ends with its resource, or with the right to it, and the others continue")
    func gone() throws {
        let scenario = try Scenario()
        let ada = try scenario.service.reader("Ada")
        let club = try scenario.service.make("/v1/clubs", #"{"name":"Readers"}"#)
        let code = try scenario.service.send("POST", "/v1/clubs/\(club)/invitations", "{}")["code"]?.string ?? ""
        #expect(
            try scenario.service.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", token: ada).status
                < 300)
        let stream = try TestStream(
            scenario.service,
            "{\"club\":\"/v1/clubs/\(club)\",\"notes\":\"/v1/clubs/\(club)/notes\",\"books\":\"/v1/books\"}",
            token: ada)
        let watcher = try stream.open()
        #expect(watcher.wait { $0.lastID != nil })
        let own = try #require(try scenario.service.send("GET", "/v1/me", token: ada)["id"]?.string)
        #expect(try scenario.service.send("DELETE", "/v1/clubs/\(club)/members/\(own)", token: ada).status == 204)
        let book = try scenario.service.make("/v1/books", #"{"title":"Persuasion"}"#)
        #expect(watcher.wait { $0.received.last?.hasPrefix("books enter") ?? false })
        #expect(
            Set(watcher.received.filter { $0.contains("gone") }) == [
                "club gone (noLongerYours)", "notes gone (noLongerYours)",
            ])
        #expect(watcher.events.last?.data.contains(book) ?? false)
        let again = try stream.open()
        #expect(again.wait { $0.lastID != nil })
        #expect(
            Set(again.received.filter { $0.contains("gone") }) == ["club gone (notFound)", "notes gone (notFound)"])
    }

    @Test(
        "A debounced search is sent whole, at most once in its interval, after the last change, and after a reconnection"
    )
    func debounced() throws {
        let scenario = try Scenario()
        let stream = try TestStream(scenario.service, #"{"found":{"url":"/v1/books?q=per","debounce":300}}"#)
        let watcher = try stream.open()
        #expect(watcher.wait { $0.lastID != nil })
        for index in 0..<10 { _ = try scenario.service.make("/v1/books", "{\"title\":\"Persuasion \(index)\"}") }
        _ = try scenario.service.make("/v1/books", #"{"title":"Other"}"#)
        func items(_ event: Watcher.Event?) -> Int? { event?.value?["value"]?["items"]?.elements.map { $0 }.count }
        #expect(watcher.wait { items($0.events.last { $0.name == "snapshot" }) == 10 })
        #expect(watcher.events.filter { $0.name == "snapshot" }.count < 8)
        #expect(!watcher.names.contains("change"))
        let seq = try stream.patch(#"{"watch":{"found":{"url":"/v1/books?q=oth","debounce":300}}}"#)
        #expect(
            watcher.wait {
                $0.received.contains("found snapshot \(seq)") && items($0.events.last { $0.name == "snapshot" }) == 1
            })
    }

    @Test("Heartbeats have the interval of the stream")
    func heartbeat() throws {
        let scenario = try Scenario()
        let stream = try TestStream(
            scenario.service, "{\"now\":\"/v1/readings/\(scenario.reading)\"}", ",\"heartbeat\":5")
        let reader = try StreamReader(scenario.service, stream.url)
        #expect(eventually { reader.lastID != nil })
        // Without the setting it would take fifteen seconds. A busy machine may be late once, but not every time.
        let isInTime = try (0..<5).contains { number in
            let (before, start) = (reader.lastID, ContinuousClock.now)
            _ = try scenario.service.make("/v1/books", "{\"title\":\"Persuasion \(number)\"}")
            #expect(eventually { reader.lastID != before } && reader.events.last?.name == "bookmark")
            return ContinuousClock.now - start < .seconds(12)
        }
        #expect(isInTime)
    }
}
