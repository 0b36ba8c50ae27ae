import JSON
import SharedByTests
import Testing

/// Tests of events about notes that are nameless or deleted, for clients who knew them before.
@Suite("Notes that are no longer visible", .serialized, .ownThreads)
struct NamelessTests {
    private static let nobody = "00000000-0000-0000-0000-000000000000"

    /// Ada's club with Ben, Cem and Dora. Ben and Cem are in another club, too.
    private struct Scenario {
        let story: ClubStory
        let cem: String
        let dora: String
        var service: TestService { story.service }
        var list: String { "/v1/clubs/\(story.club)/notes" }

        init() throws {
            story = try ClubStory()
            (cem, dora) = (try story.service.reader("Cem"), try story.service.reader("Dora"))
            let other = try story.service.make("/v1/clubs", #"{"name":"Others"}"#, token: story.ben)
            let made = try story.service.send("POST", "/v1/clubs/\(other)/invitations", "{}", token: story.ben)
            let code = #"{"invitation":"\#(made["code"]?.string ?? "")"}"#
            #expect(try story.service.send("POST", "/v1/memberships", code, token: cem).status == 201)
            for reader in [cem, dora] { try story.join(reader) }
        }

        func note(_ body: String, at progress: String = "0") throws -> String {
            let json =
                #"{"book":"\#(story.book)","club":"\#(story.club)","position":{"progress":\#(progress)},"body":"\#(body)"}"#
            return try service.make("/v1/notes", json, token: story.ben)
        }

        func leave(_ how: String) throws {
            let path = "/v1/clubs/\(story.club)/members/\(story.benID)?notes=\(how)"
            #expect(try service.send("DELETE", path, token: story.ben).status == 204)
        }

        func block(_ method: String = "PUT") throws {
            let answer = try service.send(method, "/v1/me/blocks/\(story.benID)", token: cem)
            #expect(answer.status == (method == "PUT" ? 201 : 204), "\(answer.text)")
        }

        func notes(_ reader: String, _ query: String = "") throws -> Answer {
            try service.send("GET", "\(list)\(query)", token: reader)
        }

        /// Returns the log's changes of notes after a cursor.
        func received(_ reader: String, after cursor: String) throws -> [String] {
            let page = try service.send("GET", "/v1/changes?limit=100&after=\(cursor)", token: reader)
            #expect(page.status == 200)
            return page["items"]?.elements.filter { $0["resource"]?.string == "note" }.map { ReceivedEvents.text($0) }
                ?? []
        }

        /// Returns the events of a resumed stream, and checks that they turn the earlier page into the current list.
        func resumed(_ page: Answer, _ reader: String, _ query: String = "") throws -> [Watcher.Event] {
            let last = ReceivedCopy(try JSONDocument(Array(notes(reader, query).text.utf8)).root)
            let first = ReceivedCopy(try JSONDocument(Array(page.text.utf8)).root)
            let watcher = try Watcher(
                service, "\(list)\(query)", token: reader, lastEventID: page["after"]?.string ?? "")
            func copy() throws -> ReceivedCopy {
                var copy = first
                for event in watcher.events where event.name != "bookmark" {
                    let data = try JSONDocument(Array(event.data.utf8)).root
                    copy.apply(ReceivedEvents(data, event: event.name, how: data))
                }
                return copy
            }
            #expect(try eventually { try !watcher.head.isEmpty && copy() == last }, "\(watcher.events)")
            #expect(!watcher.names.contains("reset") && !watcher.names.contains("snapshot"), "\(watcher.names)")
            return watcher.events
        }
    }

    @Test(
        "A block does not reveal the author of a nameless note: it is listed, found and unlocked as before, without events"
    )
    func blocked() throws {
        let scenario = try Scenario()
        let service = scenario.service
        let (near, far) = (try scenario.note("a rope"), try scenario.note("ahead", at: "0.5"))
        try scenario.leave("nameless")
        let (list, feed) = (
            try Watcher(service, scenario.list, token: scenario.cem),
            try Watcher(service, "/v1/changes", token: scenario.cem)
        )
        #expect(list.wait(count: 1) && feed.wait(count: 1))
        let before = try ["", "?q=rope", "?thread=\(near)"].map { try scenario.notes(scenario.cem, $0)["items"] }
        for method in ["PUT", "DELETE", "PUT"] {
            try scenario.block(method)
            #expect(try service.send("GET", "/v1/notes/\(near)", token: scenario.cem).status == 200)
            #expect(
                try ["", "?q=rope", "?thread=\(near)"].map { try scenario.notes(scenario.cem, $0)["items"] } == before)
        }
        let reading = try service.make("/v1/readings", #"{"book":"\#(scenario.story.book)"}"#, token: scenario.cem)
        _ = try service.make("/v1/readings/\(reading)/entries", #"{"progress":0.6}"#, token: scenario.cem)
        #expect(try service.send("GET", "/v1/notes/\(far)", token: scenario.cem).status == 200)
        #expect(list.wait { $0.names.last == "unlocked" })
        #expect(list.names == ["snapshot", "unlocked"], "\(list.names)")
        #expect(!feed.names.contains("hidden"))
    }

    @Test(
        "The notes of a blocked author become visible when they become nameless, with the same events for all members, live and replayed"
    )
    func comingIntoSight() throws {
        let scenario = try Scenario()
        let service = scenario.service
        let start = try service.head(token: scenario.dora)
        let old = try scenario.note("one")
        let first = try scenario.notes(scenario.cem)
        try scenario.block()
        let hidden = try scenario.notes(scenario.cem)
        let new = try scenario.note("two")
        for reader in [scenario.dora, scenario.story.ada] {
            #expect(try service.send("PUT", "/v1/notes/\(new)/reactions/love", token: reader).status < 300)
        }
        #expect(try scenario.notes(scenario.cem).text.contains(old) == false)
        let watchers = try [scenario.cem, scenario.dora].map { try Watcher(service, scenario.list, token: $0) }
        for watcher in watchers { #expect(watcher.wait(count: 1)) }
        try scenario.leave("nameless")
        for watcher in watchers {
            #expect(watcher.wait(count: 3) && watcher.names == ["snapshot", "enter", "enter"], "\(watcher.names)")
        }
        #expect(watchers[0].events.dropFirst() == watchers[1].events.dropFirst())
        let last = try scenario.notes(scenario.cem)
        #expect(last["items"] == (try scenario.notes(scenario.dora)["items"]) && last.text.contains(new))
        // Neither the end of the block nor later events reveal the author.
        try scenario.block("DELETE")
        #expect(try scenario.received(scenario.cem, after: start) == scenario.received(scenario.dora, after: start))
        for page in [first, hidden] {
            let names = try scenario.resumed(page, scenario.cem).map(\.name)
            #expect(!names.contains("leave") && !names.contains("unlocked"), "\(names)")
        }
    }

    @Test("A note that was hidden by a block and then raised leaves as if only its threshold had been raised")
    func raisedMeanwhile() throws {
        let scenario = try Scenario()
        let service = scenario.service
        let note = try scenario.note("one", at: "0.1")
        let adas = try service.make("/v1/readings", #"{"book":"\#(scenario.story.book)"}"#, token: scenario.story.ada)
        _ = try service.make("/v1/readings/\(adas)/entries", #"{"progress":0.3}"#, token: scenario.story.ada)
        let reading = try service.make("/v1/readings", #"{"book":"\#(scenario.story.book)"}"#, token: scenario.cem)
        _ = try service.make("/v1/readings/\(reading)/entries", #"{"progress":0.3}"#, token: scenario.cem)
        let first = try scenario.notes(scenario.cem)
        #expect(first.text.contains(note))
        try scenario.block()
        let raised = try service.send(
            "PATCH", "/v1/notes/\(note)", #"{"opensAt":{"progress":0.9}}"#, token: scenario.story.ada)
        #expect(raised.status == 200)
        try scenario.leave("nameless")
        let received = try scenario.resumed(first, scenario.cem)
        #expect(received.contains { $0.name == "leave" && $0.data.contains("\"raised\"") })
        #expect(!received.contains { $0.data.contains("noLongerYours") })
    }

    @Test(
        "After an account is deleted the log has no trace of the author: from any cursor, in every stream, by any name")
    func forgotten() throws {
        let scenario = try Scenario()
        let (service, story) = (scenario.service, scenario.story)
        let reading = try service.make("/v1/readings", #"{"book":"\#(story.book)"}"#, token: scenario.dora)
        let start = try service.head(token: scenario.dora)
        let first = try scenario.notes(scenario.dora)
        let (one, two) = (try scenario.note("one"), try scenario.note("two", at: "0.5"))
        let between = try (service.head(token: scenario.dora), scenario.notes(scenario.dora))
        #expect(try service.send("PATCH", "/v1/me", #"{"name":"Xqbenno"}"#, token: story.ben).status == 200)
        #expect(try service.send("PUT", "/v1/notes/\(one)/reactions/love", token: story.ada).status < 300)
        _ = try service.make("/v1/readings/\(reading)/entries", #"{"progress":0.6}"#, token: scenario.dora)
        #expect(try service.send("PATCH", "/v1/notes/\(two)", #"{"body":"two!"}"#, token: story.ben).status == 200)
        // Before the author leaves, the events name them.
        let named = try scenario.received(scenario.dora, after: start).joined()
        #expect(named.contains(story.benID) && named.contains("Xqbenno") && named.contains("unlocked"))
        try scenario.leave("nameless")
        for cursor in [start, between.0] {
            let received = try scenario.received(scenario.dora, after: cursor)
            #expect(received.count >= 4 && received.joined().contains(Self.nobody))
            for text in received {
                #expect(!text.contains(story.benID) && !text.contains("Ben") && !text.contains("Xqbenno"), "\(text)")
                #expect(!text.contains(#""changed":["authorName"]"#) && !text.contains(#""authorName":"#))
            }
        }
        let watch = #"{"list":"\#(scenario.list)","one":"/v1/notes/\#(one)"}"#
        let several = try TestStream(service, watch, token: scenario.dora).url + "&after="
        for path in ["\(scenario.list)?after=", "/v1/changes?after=", "/v1/notes/\(one)?after=", several] {
            let watcher = try Watcher(service, path + start, token: path == several ? "" : scenario.dora)
            #expect(watcher.wait { $0.events.contains { $0.data.contains(Self.nobody) } })
            let received = watcher.events.filter { $0.data.contains(#""resource":"note""#) }
            #expect(!received.isEmpty)
            for event in received {
                #expect(!event.data.contains(story.benID) && !event.data.contains("enno"), "\(event)")
                #expect(!event.data.contains("\"Ben\""))
            }
        }
        for page in [first, between.1] { _ = try scenario.resumed(page, scenario.dora) }
    }

    @Test(
        "No replay contains the text of a deleted note, and a client that resumes ends with the current state",
        arguments: [true, false])
    func wordless(isOwn: Bool) throws {
        let scenario = try Scenario()
        let (service, story) = (scenario.service, scenario.story)
        let reading = try service.make("/v1/readings", #"{"book":"\#(story.book)"}"#, token: scenario.dora)
        let start = try service.head(token: scenario.dora)
        let first = try (scenario.notes(scenario.dora), scenario.notes(scenario.dora, "?q=xqone"))
        let note = try scenario.note("xqone")
        let ahead = try scenario.note("xqahead", at: "0.5")
        let middle = try (scenario.notes(scenario.dora), scenario.notes(scenario.dora, "?q=xqone"))
        #expect(middle.1.text.contains(note))
        let edit = #"{"body":"xqtwo","quote":"xqcited","language":"es"}"#
        #expect(try service.send("PATCH", "/v1/notes/\(note)", edit, token: story.ben).status == 200)
        _ = try service.make("/v1/readings/\(reading)/entries", #"{"progress":0.6}"#, token: scenario.dora)
        #expect(try scenario.received(scenario.dora, after: start).joined().contains("xqahead"))
        if isOwn {
            for note in [note, ahead] {
                #expect(try service.send("DELETE", "/v1/notes/\(note)", token: story.ben).status == 204)
            }
        } else {
            try scenario.leave("delete")
        }
        let received = try scenario.received(scenario.dora, after: start)
        #expect(
            received.count == 5 && received[0].contains("created") && received[4].contains("deleted"), "\(received)")
        #expect(received.allSatisfy { !$0.contains("xq") && !$0.contains("\"es\"") }, "\(received)")
        for path in ["\(scenario.list)?after=", "\(scenario.list)?q=xqone&after=", "/v1/changes?after="] {
            let watcher = try Watcher(service, path + start, token: scenario.dora)
            #expect(watcher.wait { $0.events.contains { $0.data.contains("\"deleted\"") || $0.name == "leave" } })
            #expect(watcher.events.allSatisfy { !$0.data.contains("xq") }, "\(watcher.events)")
        }
        for (page, query) in [(first.0, ""), (middle.0, ""), (first.1, "?q=xqone"), (middle.1, "?q=xqone")] {
            let events = try scenario.resumed(page, scenario.dora, query)
            #expect(events.allSatisfy { !$0.data.contains("xq") }, "\(events)")
        }
    }

    @Test("A note whose audience its returned author widens later stays nameless")
    func shared() throws {
        let scenario = try Scenario()
        let (service, story) = (scenario.service, scenario.story)
        let ben = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try service.send("PATCH", ben, #"{"role":"moderator"}"#, token: story.ada).status == 200)
        let body =
            #"{"book":"\#(story.book)","club":"\#(story.club)","audience":"moderators","position":{"progress":0},"body":"x"}"#
        let note = try service.make("/v1/notes", body, token: story.ben)
        try scenario.leave("nameless")
        try story.join(story.ben)
        let cursor = try service.head(token: scenario.dora)
        let answer = try service.send("PATCH", "/v1/notes/\(note)", #"{"audience":"club"}"#, token: story.ben)
        #expect(answer.status == 200)
        let seen = try service.send("GET", "/v1/notes/\(note)", token: scenario.dora)
        #expect(seen["author"]?.string == Self.nobody && seen["authorName"] == nil, "\(seen.text)")
        #expect(try !scenario.received(scenario.dora, after: cursor).contains { $0.contains("Ben") })
    }

    @Test("The first notes in a club are nameless at once, however many private or nameless ones the author has")
    func few() throws {
        let scenario = try Scenario()
        let (service, story) = (scenario.service, scenario.story)
        let own = #"{"method":"POST","path":"/v1/notes","body":{"book":"\#(story.book)","body":"mine"}}"#
        for _ in 0..<3 {
            let requests = [String](repeating: own, count: 50).joined(separator: ",")
            #expect(
                try service.send("POST", "/v1/batch", "{\"atomic\":true,\"requests\":[\(requests)]}", token: story.ben)
                    .status == 200)
        }
        for _ in 0..<3 { _ = try scenario.note("a word") }
        try scenario.leave("nameless")
        #expect(try !scenario.notes(scenario.dora).text.contains("Ben"))
    }
}
