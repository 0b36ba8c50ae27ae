import Foundation
import JSON
import SharedByTests
import Testing

@Suite("Blocked readers", .serialized, .ownThreads)
struct BlockTests {
    /// A club of Ada's with the members Ben and Cem.
    private struct Scenario {
        let story: ClubStory
        let cem: String
        let cemID: String
        var service: TestService { story.service }
        var notes: String { "/v1/clubs/\(story.club)/notes" }
        var block: String { "/v1/me/blocks/\(cemID)" }

        init() throws {
            story = try ClubStory()
            cem = try story.service.reader("Cem")
            cemID = try story.service.send("GET", "/v1/me", token: cem)["id"]?.string ?? ""
            try story.join(cem)
        }

        func write(_ body: String, at progress: String = "0", as token: String? = nil) throws -> String {
            let json =
                #"{"book":"\#(story.book)","club":"\#(story.club)","position":{"progress":\#(progress)},"body":"\#(body)"}"#
            return try service.make("/v1/notes", json, token: token ?? cem)
        }

        func seen(_ path: String, by token: String) throws -> [String] {
            let page = try service.send("GET", path, token: token)
            #expect(page.status == 200, "\(page.text)")
            return page["items"]?.elements.compactMap { $0["body"]?.string ?? $0["name"]?.string } ?? []
        }
    }

    @Test("A blocked author's notes are in no list, search, thread or view, and the author notices no difference")
    func hidden() throws {
        let scenario = try Scenario()
        let (service, ben) = (scenario.service, scenario.story.ben)
        let first = try scenario.write("a rope")
        let answer = try service.make("/v1/notes", #"{"replyTo":"\#(first)","body":"ben's reply"}"#, token: ben)
        _ = try service.make("/v1/notes", #"{"replyTo":"\#(answer)","body":"cem's reply"}"#, token: scenario.cem)
        let adas = try scenario.story.note("0", "ada's")
        for token in [scenario.cem, scenario.story.ada] {
            #expect(try service.send("PUT", "/v1/notes/\(adas)/reactions/sad", token: token).status == 200)
        }
        let shelf = #"{"name":"Cem's","club":"\#(scenario.story.club)"}"#
        let shelfID = try service.make("/v1/shelves", shelf, token: scenario.cem)
        let meeting = #"{"startsAt":"2100-01-01T00:00:00Z","timeZone":"UTC","book":"\#(scenario.story.book)"}"#
        _ = try service.make("/v1/clubs/\(scenario.story.club)/meetings", meeting, token: scenario.story.ada)
        let shelves = "/v1/shelves?club=\(scenario.story.club)"
        #expect(try scenario.seen(scenario.notes, by: ben) == ["ada's", "cem's reply", "ben's reply", "a rope"])
        #expect(try scenario.seen(shelves, by: ben) == ["Cem's"])

        let made = try service.send("PUT", scenario.block, token: ben)
        #expect(made.status == 201 && made["reader"]?.string == scenario.cemID && made["name"]?.string == "Cem")
        #expect(made.fields["location"] == scenario.block)
        let again = try service.send("PUT", scenario.block, token: ben)
        #expect(again.status == 200 && again.fields["lectern-unchanged"] == "true" && again.etag == made.etag)
        #expect(try service.send("GET", scenario.block, token: ben).text == made.text)
        #expect(try scenario.seen("/v1/me/blocks", by: ben) == ["Cem"])

        #expect(try scenario.seen(scenario.notes, by: ben) == ["ada's", "ben's reply"])
        #expect(try scenario.seen("\(scenario.notes)?q=rope", by: ben) == [])
        #expect(try scenario.seen("\(scenario.notes)?thread=\(first)", by: ben) == ["ben's reply"])
        #expect(try scenario.seen(shelves, by: ben) == [])
        for path in ["notes/\(first)", "notes/\(first)/reactions", "shelves/\(shelfID)", "shelves/\(shelfID)/books"] {
            #expect(try service.send("GET", "/v1/\(path)", token: ben).status == 404, "\(path)")
        }
        for (method, path, body) in [
            ("POST", "/v1/notes", #"{"replyTo":"\#(first)","body":"x"}"#),
            ("PUT", "/v1/notes/\(first)/reactions/love", nil),
        ] { #expect(try service.send(method, path, body, token: ben).status == 404) }
        let talked = try service.send(
            "GET", "/v1/clubs/\(scenario.story.club)/meetings/next/notes", token: ben, fields: ["Accept: text/markdown"]
        )
        #expect(talked.status == 200 && !talked.text.contains("rope") && talked.text.contains("ben's reply"))
        let reactions = try service.send("GET", "/v1/notes/\(adas)/reactions", token: ben)
        #expect(reactions["items"]?.elements.map { $0 }.count == 1 && !reactions.text.contains(scenario.cemID))
        // The count, which everyone sees, stays.
        #expect(try service.send("GET", "/v1/notes/\(adas)", token: ben)["reactions"]?["sad"]?.integer == 2)
        for token in [scenario.cem, scenario.story.ada] {
            #expect(try scenario.seen(scenario.notes, by: token).count == 4)
            #expect(try scenario.seen("/v1/me/blocks", by: token) == [])
        }
        #expect(try service.send("DELETE", scenario.block, token: ben).status == 204)
        #expect(try service.send("DELETE", scenario.block, token: ben).status == 404)
        #expect(try scenario.seen(scenario.notes, by: ben).count == 4)
    }

    @Test("A reader can block another reader whom they can see, but not themselves, and nobody else gets an event")
    func who() throws {
        let scenario = try Scenario()
        let (service, ben) = (scenario.service, scenario.story.ben)
        let own = try service.send("PUT", "/v1/me/blocks/\(scenario.story.benID)", token: ben)
        #expect(own.status == 422)
        let dora = try service.reader("Dora")
        let doras = try service.send("GET", "/v1/me", token: dora)["id"]?.string ?? ""
        for id in [doras, OwnIDTests.id, "x"] {
            #expect(try service.send("PUT", "/v1/me/blocks/\(id)", token: ben).status == 404)
        }
        // A former member is known by the notes they wrote in the club.
        _ = try scenario.write("was here")
        try scenario.story.remove(scenario.cem)
        let heads = try [scenario.cem, scenario.story.ada].map { try service.head(token: $0) }
        #expect(try service.send("PUT", scenario.block, token: ben).status == 201)
        #expect(try scenario.seen(scenario.notes, by: ben) == [])
        for (token, head) in zip([scenario.cem, scenario.story.ada], heads) {
            #expect(try service.events(after: head, token: token) == [])
        }
        let stale = try service.send("DELETE", scenario.block, token: ben, fields: ["If-Match: \"00000000-1\""])
        #expect(stale.status == 412)
    }

    @Test("A block removes notes from open streams, and its end returns them with later ones; a note's own stream ends")
    func streams() throws {
        let scenario = try Scenario()
        let (service, ben) = (scenario.service, scenario.story.ben)
        let notes = try [scenario.write("one"), scenario.write("two"), scenario.write("ahead", at: "0.9")]
        let start = try service.head(token: ben)
        let list = try Watcher(service, scenario.notes, token: ben)
        let search = try Watcher(service, "\(scenario.notes)?q=one", token: ben)
        let window = try Watcher(service, "\(scenario.notes)?limit=1", token: ben)
        let feed = try Watcher(service, "/v1/changes", token: ben)
        let single = try Watcher(service, "/v1/notes/\(notes[0])", token: ben)
        let reactions = try Watcher(service, "/v1/notes/\(notes[0])/reactions", token: ben)
        let others = try Watcher(service, "/v1/notes/\(notes[0])", token: scenario.story.ada)
        let several = try TestStream(
            service, #"{"one":"/v1/notes/\#(notes[0])","all":"\#(scenario.notes)"}"#, token: ben
        ).open()
        for watcher in [list, search, window, feed, single, reactions, others] { #expect(watcher.wait(count: 1)) }
        #expect(several.wait(count: 3))
        #expect(try service.send("PUT", scenario.block, token: ben).status == 201)
        #expect(list.wait(count: 3) && search.wait(count: 2) && feed.wait(count: 4))
        #expect(list.names == ["snapshot", "leave", "leave"] && search.names == ["snapshot", "leave"])
        #expect(list.events.dropFirst().allSatisfy { $0.data.contains("noLongerYours") && !$0.data.contains("one") })
        #expect(feed.names == ["snapshot", "created", "hidden", "hidden"])
        #expect(window.wait { $0.names.contains("leave") })
        #expect(single.wait { $0.isComplete } && single.names == ["snapshot", "leave"])
        #expect(reactions.wait { $0.isComplete })
        #expect(several.wait(count: 6) && several.names.suffix(3).sorted() == ["change", "change", "gone"])
        // Their changes during the block are not delivered, not even after a reconnection.
        let third = try scenario.write("three")
        _ = try service.send("PATCH", "/v1/notes/\(notes[1])", #"{"body":"TWO"}"#, token: scenario.cem)
        _ = try scenario.story.note("0", "ada's")
        #expect(list.wait(count: 4) && list.events.last?.data.contains("ada's") == true)
        #expect(try service.send("DELETE", scenario.block, token: ben).status == 204)
        #expect(list.wait(count: 7))
        #expect(list.names.suffix(3) == ["unlocked", "unlocked", "unlocked"])
        #expect(feed.wait(count: 9) && !others.isComplete)
        #expect(feed.names.suffix(5) == ["created", "deleted", "unlocked", "unlocked", "unlocked"])
        let page = try service.send("GET", "/v1/changes?limit=100&after=\(start)", token: ben)
        let received = page["items"]?.elements.map { "\($0["change"]?.string ?? "")" } ?? []
        #expect(
            received == ["created", "hidden", "hidden", "created", "deleted", "unlocked", "unlocked", "unlocked"])
        // The reasons are the same on the page and on the stream.
        let reasons = page["items"]?.elements.map { $0["reason"]?.string ?? "-" } ?? []
        #expect(reasons.prefix(4) == ["-", "noLongerYours", "noLongerYours", "-"])
        #expect(feed.events[2].data.contains("\"reason\":\"noLongerYours\""))
        let small = try service.send("GET", "/v1/changes?limit=2&after=\(start)", token: ben)
        let rest = try service.send(
            "GET", "/v1/changes?limit=1&after=\(small["next"]?.string ?? "")", token: ben)
        #expect(rest["items"]?.elements.map { $0["change"]?.string ?? "" } == ["hidden"], "\(rest.text)")
        #expect(page.text.contains("TWO") && page.text.contains(third) && !page.text.contains("ahead"))
    }

    @Test("A moderator sees the notes of readers they block, from the start of the role until its end")
    func moderators() throws {
        let scenario = try Scenario()
        let (service, ben) = (scenario.service, scenario.story.ben)
        let note = try scenario.write("one")
        _ = try scenario.write("ahead", at: "0.9")
        #expect(try service.send("PUT", scenario.block, token: ben).status == 201)
        let list = try Watcher(service, scenario.notes, token: ben)
        #expect(list.wait(count: 1))
        func role(_ role: String) throws {
            let path = "/v1/clubs/\(scenario.story.club)/members/\(scenario.story.benID)"
            #expect(
                try service.send("PATCH", path, "{\"role\":\"\(role)\"}", token: scenario.story.ada).status == 200)
        }
        try role("moderator")
        #expect(list.wait(count: 2) && list.names == ["snapshot", "unlocked"])
        #expect(try scenario.seen(scenario.notes, by: ben) == ["one"])
        try role("member")
        #expect(list.wait(count: 3) && list.names.last == "leave")
        #expect(try service.send("GET", "/v1/notes/\(note)", token: ben).status == 404)
        // If moderators see ahead, all notes are delivered, whatever their author and threshold.
        _ = try service.send(
            "PATCH", "/v1/clubs/\(scenario.story.club)", #"{"moderatorsSeeAhead":true}"#, token: scenario.story.ada)
        _ = try scenario.story.note("0.8", "ada ahead")
        try role("moderator")
        #expect(list.wait(count: 6) && Set(list.names.suffix(3)) == ["unlocked"])
        #expect(try scenario.seen(scenario.notes, by: ben).count == 3)
    }

    @Test("A blocked reader who deletes their account is no longer blocked, and has no name")
    func leaving() throws {
        let scenario = try Scenario()
        let (service, ben) = (scenario.service, scenario.story.ben)
        _ = try scenario.write("words")
        let answer = try scenario.write("an answer", as: scenario.story.ada)
        #expect(try service.send("PUT", scenario.block, token: ben).status == 201)
        let list = try Watcher(service, scenario.notes, token: ben)
        let blocks = try Watcher(service, "/v1/me/blocks", token: ben)
        #expect(list.wait(count: 1) && blocks.wait(count: 1))
        #expect(
            try service.send("DELETE", "/v1/readers/\(scenario.cemID)?confirm=Cem", token: scenario.cem).status == 204)
        #expect(blocks.wait(count: 2) && blocks.names == ["snapshot", "leave"])
        // A hidden note with visible replies keeps an empty place.
        #expect(list.wait(count: 2) && list.names == ["snapshot", "unlocked"])
        #expect(try scenario.seen(scenario.notes, by: ben) == ["an answer", ""])
        #expect(try service.send("GET", "/v1/notes/\(answer)", token: ben).status == 200)
        #expect(
            try eventually { try service.metric("lectern_erasing") == 0 })
    }

    @Test("A blocked author's notes are hidden in a club that the reader joins later, and are not counted as locked")
    func comingLater() throws {
        let scenario = try Scenario()
        let (service, ben, ada) = (scenario.service, scenario.story.ben, scenario.story.ada)
        _ = try scenario.write("ahead", at: "0.9")
        _ = try service.send("PATCH", "/v1/clubs/\(scenario.story.club)", #"{"countsAhead":true}"#, token: ada)
        #expect(try service.send("GET", scenario.notes, token: ben)["ahead"]?.integer == 1)
        #expect(try service.send("PUT", scenario.block, token: ben).status == 201)
        #expect(try service.send("GET", scenario.notes, token: ben)["ahead"]?.integer == 0)
        // An entry that reaches the threshold delivers nothing; the end of the block does.
        let start = try service.head(token: ben)
        _ = try scenario.story.read("0.95")
        #expect(try !service.events(after: start, token: ben).contains { $0.hasPrefix("note") })
        try scenario.story.remove(ben)
        for removal in try service.send("GET", "/v1/clubs/\(scenario.story.club)/removals", token: ada)["items"]?
            .elements
            .compactMap({ $0["id"]?.string }) ?? []
        {
            _ = try service.send("DELETE", "/v1/clubs/\(scenario.story.club)/removals/\(removal)", token: ada)
        }
        try scenario.story.join(ben)
        #expect(try scenario.seen(scenario.notes, by: ben) == [])
        #expect(try service.send("DELETE", scenario.block, token: ben).status == 204)
        #expect(try scenario.seen(scenario.notes, by: ben) == ["ahead"])
    }
}
