import API
import Foundation
import HTTPServer
import JSON
import SharedByTests
import Testing

/// Tests of the limits for one token and one reader, and that others are not affected.
@Suite("Limits of open streams", .serialized, .ownThreads)
struct HoldingTests {
    /// Returns the response to a stream beyond the limit. A client that is not refused gives up after a while.
    private func refusal(_ service: TestService, token: String) throws -> Answer {
        try service.send("GET", "/v1/changes", token: token, fields: ["Accept: text/event-stream"])
    }

    @Test("A token's streams and polls have a limit, which the 429 names; other tokens and readers are not affected")
    func perToken() throws {
        let service = try TestService {
            $0.openStreamsPerTokenMax = 2
            $0.loops = 1
        }
        let ben = try service.reader("Ben")
        let first = try Watcher(service, "/v1/changes", token: ben)
        #expect(first.wait(count: 1))
        let head = try service.head(token: ben)
        let poll = Thread.detach {
            try? service.send("GET", "/v1/changes?after=\(head)", token: ben, fields: ["Prefer: wait=30"])
        }
        #expect(
            eventually { (try? service.send("GET", "/metrics").text)?.contains("lectern_subscriptions 2\n") ?? false })
        let answer = try refusal(service, token: ben)
        #expect(answer.status == 429 && answer.fields["retry-after"] == "5")
        #expect(answer["type"]?.string == "/problems/too-many-requests")
        #expect(answer["limit"]?["name"]?.string == "openStreamsPerTokenMax" && answer["limit"]?["max"]?.integer == 2)
        #expect(
            try service.send("GET", "/v1/changes?after=\(head)", token: ben, fields: ["Prefer: wait=30"]).status == 429)
        let second = try service.send("POST", "/v1/tokens", #"{"name":"other"}"#, token: ben)["token"]?.string
        let other = try Watcher(service, "/v1/changes", token: second)
        #expect(other.wait(count: 1))
        // The end of a poll frees its place. The poll ended with the token's creation, or ends with the book's.
        _ = try service.make("/v1/books", #"{"title":"Emma"}"#)
        #expect(poll.value()?.status == 200)
        let next = try Watcher(service, "/v1/changes", token: ben)
        #expect(next.wait(count: 1))
        #expect(try refusal(service, token: ben).status == 429)
        #expect(!first.isEnded)
    }

    @Test("A reader's streams have a limit over all tokens")
    func perReader() throws {
        let service = try TestService { $0.openStreamsPerReaderMax = 2 }
        let ben = try service.reader("Ben")
        let second = try #require(
            try service.send("POST", "/v1/tokens", #"{"name":"other"}"#, token: ben)["token"]?.string)
        let watchers = try [ben, second].map { try Watcher(service, "/v1/changes", token: $0) }
        for watcher in watchers { #expect(watcher.wait(count: 1)) }
        let answer = try refusal(service, token: second)
        #expect(answer.status == 429 && answer["limit"]?["name"]?.string == "openStreamsPerReaderMax")
        let other = try Watcher(service, "/v1/changes")
        #expect(other.wait(count: 1))
    }

    @Test(
        "A stream that resumes is accepted beyond the maximum: the oldest one of the same token ends",
        arguments: [false, true])
    func comingBack(asParameter: Bool) throws {
        let service = try TestService { $0.openStreamsPerTokenMax = 2 }
        let ben = try service.reader("Ben")
        var watchers: [Watcher] = []
        for _ in 0..<2 {
            watchers.append(try Watcher(service, "/v1/changes", token: ben))
            #expect(watchers.last?.wait(count: 1) == true)
        }
        let ada = try Watcher(service, "/v1/changes")
        #expect(ada.wait(count: 1))
        let id = try #require(watchers[0].lastID)
        let back = try Watcher(
            service, asParameter ? "/v1/changes?after=\(id)" : "/v1/changes", token: ben,
            lastEventID: asParameter ? nil : id)
        #expect(watchers[0].wait { $0.isEnded })
        let book = try service.make("/v1/books", #"{"title":"Emma"}"#)
        #expect(back.wait { $0.events.last?.data.contains(book) ?? false }, "\(back.head)")
        #expect(!watchers[1].isEnded && !ada.isEnded)
    }

    @Test(
        "A named stream that is opened again at a limit only replaces its own connection",
        arguments: [false, true], [false, true])
    func takenOver(isResumed: Bool, isReaderFull: Bool) throws {
        let service = try TestService {
            if isReaderFull { $0.openStreamsPerReaderMax = 2 } else { $0.openStreamsPerTokenMax = 2 }
        }
        let ben = try service.reader("Ben")
        let oldest = try Watcher(service, "/v1/changes", token: ben)
        #expect(oldest.wait(count: 1))
        let stream = try TestStream(service, #"{"books":"/v1/books"}"#, token: ben)
        var current = try stream.open()
        for _ in 0..<2 {
            #expect(current.wait { $0.lastID != nil })
            let next = try stream.open(after: isResumed ? current.lastID : nil)
            #expect(current.wait { $0.isEnded && $0.names.last == "taken" }, "\(next.head)")
            current = next
            let book = try service.make("/v1/books", #"{"title":"Emma"}"#)
            #expect(current.wait { $0.events.last?.data.contains(book) ?? false })
            #expect(oldest.wait { $0.events.last?.data.contains(book) ?? false } && !oldest.isEnded)
        }
        #expect(try refusal(service, token: ben).status == 429)
    }

    @Test(
        "When all connections are used, /healthz and the local socket respond, and other requests get a 503 with the reason"
    )
    func reserve() throws {
        let service = try TestService {
            $0.limits.connectionsMax = 8
            $0.openStreamsPerTokenMax = 100
            $0.openStreamsPerReaderMax = 100
        }
        let watchers = try (0..<8).map { _ in try Watcher(service, "/v1/changes") }
        for watcher in watchers { #expect(watcher.wait(count: 1)) }
        #expect(try service.send("GET", "/healthz").status == 200)
        let answer = try service.send("GET", "/v1/books")
        #expect(answer.status == 503 && answer.text.contains("connectionsMax"))
        #expect(watchers.allSatisfy { !$0.isEnded })
    }
}
