import API
import Foundation
import JSON
import SharedByTests
import Testing

@Suite("Long polls", .serialized, .ownThreads)
struct PollTests {
    /// Starts a long poll on a new thread; reading its value waits.
    private func poll(
        _ service: TestService, after cursor: String, token: String? = nil, seconds: Int = 30, limit: Int = 100
    ) -> Detached<Answer> {
        Thread.detach {
            try? service.send(
                "GET", "/v1/changes?limit=\(limit)&after=\(cursor)", token: token, fields: ["Prefer: wait=\(seconds)"])
        }
    }

    /// Waits until this many polls wait.
    private func awaitWaiting(_ service: TestService, _ count: Int) throws {
        #expect(
            try eventually {
                try service.send("GET", "/metrics").text.contains("\nlectern_subscriptions \(count)\n")
            })
    }

    private func kinds(_ answer: Answer?) -> [String] {
        answer?["items"]?.elements.map { "\($0["resource"]?.string ?? "") \($0["change"]?.string ?? "")" } ?? []
    }

    @Test(
        "A poll returns the changes that its reader may see, also in clubs that they join, and no others"
    )
    func wakes() throws {
        let story = try ClubStory()
        let service = story.service
        let cem = try service.reader("Cem")
        let start = try service.head(token: cem)
        let (bens, cems) = (poll(service, after: start, token: story.ben), poll(service, after: start, token: cem))
        try awaitWaiting(service, 2)
        // One note is locked for Ben, and Cem is not in the club.
        _ = try story.note("0.9")
        let note = try story.note("0")
        let answer = bens.value()
        #expect(answer?.status == 200 && kinds(answer) == ["note created"])
        #expect(answer?["items"]?.elements.map { $0["id"]?.string } == [note])
        // The page has the cursor of the next one.
        let next = answer?["next"]?.string ?? ""
        let rest = poll(service, after: next, token: story.ben)
        try awaitWaiting(service, 2)
        try story.join(cem)
        #expect(kinds(rest.value()) == ["member created"])
        #expect(kinds(cems.value()) == ["member created", "membership created"])
        try awaitWaiting(service, 0)
        let pages = try service.send("GET", "/v1/changes?after=\(start)", token: story.ben)
        #expect(kinds(pages) == ["note created", "member created"])
    }

    @Test("A poll returns at most its limit, and the next one continues there")
    func limit() throws {
        let story = try ClubStory()
        let start = try story.service.head(token: story.ben)
        let waiting = poll(story.service, after: start, token: story.ben, limit: 1)
        try awaitWaiting(story.service, 1)
        _ = try story.read("0.5")
        let first = waiting.value()
        #expect(kinds(first) == ["entry created"])
        let next = poll(story.service, after: first?["next"]?.string ?? "", token: story.ben).value()
        #expect(kinds(next) == ["reading updated"])
    }

    @Test("A poll ends with its token: 401 when it is revoked or expires")
    func tokens() throws {
        let service = try TestService()
        let reader = try service.make("/v1/readers", "{\"name\":\"Ada\"}")
        for (expires, type) in [(false, "token-unknown"), (true, "token-expired")] {
            let expiry = ISO8601DateFormatter().string(from: Date().addingTimeInterval(12))
            let fields = expires ? ",\"expiresAt\":\"\(expiry)\"" : ""
            let made = try service.send("POST", "/v1/tokens", "{\"name\":\"phone\",\"reader\":\"\(reader)\"\(fields)}")
            let token = made["token"]?.string ?? ""
            let waiting = poll(service, after: try service.head(token: token), token: token)
            try awaitWaiting(service, 1)
            if !expires {
                #expect(try service.send("DELETE", "/v1/tokens/\(made["id"]?.string ?? "")").status == 204)
            }
            let answer = waiting.value()
            #expect(answer?.status == 401 && answer?["type"]?.string?.hasSuffix(type) == true, "\(answer?.text ?? "")")
            try awaitWaiting(service, 0)
        }
    }

    @Test("An abandoned poll is removed, and one without changes returns the last examined seq")
    func ends() throws {
        let story = try ClubStory()
        let service = story.service
        let start = try service.head(token: story.ben)
        let waiting = poll(service, after: start, token: story.ben, seconds: 12)
        try awaitWaiting(service, 1)
        _ = try story.note("0.9")
        let answer = waiting.value()
        #expect(answer?.status == 200 && kinds(answer) == [])
        let seq = answer?["seq"]?.integer ?? 0
        #expect(answer?["next"]?.string != start && answer?["next"]?.string == "\(start.prefix(8))-\(seq)")
        try awaitWaiting(service, 0)
    }

    @Test(
        "A poll whose client sends no more ends at once, with its response and those of later requests",
        arguments: [false, true])
    func clientDone(waitsFirst: Bool) throws {
        let service = try TestService { $0.openStreamsPerTokenMax = 1 }
        let ben = try service.reader("Ben")
        let head = try service.head(token: ben)
        let fields = "Host: test\r\nAuthorization: Bearer \(ben)\r\n"
        let began = ContinuousClock.now
        let wire = try Wire(service)
        wire.send("GET /v1/changes?after=\(head) HTTP/1.1\r\n\(fields)Prefer: wait=60\r\n\r\n")
        wire.send("GET /v1/me HTTP/1.1\r\n\(fields)\r\n")
        if waitsFirst { try awaitWaiting(service, 1) }
        wire.finishSending()
        let text = wire.read(until: "\u{0}")
        #expect(text.contains("\"items\":[]") && text.contains("\"name\":\"Ben\""), "\(text)")
        #expect(ContinuousClock.now - began < .seconds(30))
        // The place is free for another one.
        let next = poll(service, after: head, token: ben)
        try awaitWaiting(service, 1)
        _ = try service.make("/v1/books", #"{"title":"Emma"}"#)
        #expect(kinds(next.value()) == ["book created"])
    }
}
