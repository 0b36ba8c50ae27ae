import API
import Foundation
import JSON
import SharedByTests
import Testing

/// Tests of what members share with their club's moderators in particular.
@Suite("Sharing with moderators", .serialized, .ownThreads)
struct SharingTests {
    /// Returns a club whose book is current, with a milestone at 40 %. Ben reads along, at 44 %.
    private func begin() throws -> AudienceStory {
        let story = try AudienceStory()
        let (service, club) = (story.service, story.club)
        try club.choose()
        _ = try service.make(
            "\(story.path)/milestones", "{\"position\":{\"progress\":0.4},\"dueAt\":\"2090-01-01T18:00:00Z\"}",
            token: club.ada)
        _ = try club.read("0.44")
        _ = try service.make("\(story.path)/standings", "{}", token: club.ben)
        return story
    }

    private func share(_ story: AudienceStory, _ body: String) throws -> Answer {
        let own = "\(story.path)/members/\(story.club.benID)"
        return try story.service.send("PATCH", own, body, token: story.club.ben)
    }

    private func standings(_ story: AudienceStory, _ token: String, _ query: String = "") throws -> [JSONValue] {
        let list = try story.service.send("GET", "\(story.path)/standings\(query)", token: token)
        #expect(list.status == 200, "\(list.text)")
        return list["items"].map { Array($0.elements) } ?? []
    }

    @Test("Moderators see what is shared with them in the same standing, and no other member sees it or gets an event")
    func apart() throws {
        let story = try begin()
        let (service, club) = (story.service, story.club)
        let id = try standings(story, club.ada).first?["id"]?.string
        let (ada, cem) = try (service.head(token: club.ada), service.head(token: story.cem))
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}")["sharesWithModerators"]?.string == "exact")
        #expect(try service.events(after: ada, token: club.ada) == ["member updated", "standing updated"])
        #expect(try service.events(after: cem, token: story.cem) == ["member updated"])
        for (tokens, progress) in [([club.ada, story.mia], 0.44), ([story.cem, club.ben], 0.4)] {
            for token in tokens {
                let shown = try standings(story, token)
                #expect(shown.count == 1 && shown.first?["id"]?.string == id)
                #expect(shown.first?["progress"]?.double == progress && shown.first?["name"]?.string == "Ben")
                let one = try service.send("GET", "\(story.path)/standings/\(id ?? "")", token: token)
                #expect(one.text == shown.first.map { String(decoding: $0.encoded, as: UTF8.self) })
            }
        }

        let feeds = try [club.ada, story.cem].map { try Watcher(service, "/v1/changes", token: $0) }
        let lists = try [club.ada, story.cem].map { try Watcher(service, "\(story.path)/standings", token: $0) }
        #expect((feeds + lists).allSatisfy { $0.wait(count: 1) })
        _ = try club.read("0.46")
        let mark = try service.make("/v1/books", "{\"title\":\"The End\"}")
        for feed in feeds { #expect(feed.wait { $0.events.last?.data.contains(mark) ?? false }) }
        #expect(feeds[0].names.dropFirst() == ["updated", "created"])
        #expect(feeds[1].names.dropFirst() == ["created"])
        #expect(lists[0].wait(count: 2) && lists[0].names == ["snapshot", "updated"])
        #expect(lists[0].events.last?.data.contains("\"progress\":0.46") == true)
        #expect(try standings(story, story.mia).first?["progress"]?.double == 0.46)
        let received = try service.send("GET", "/v1/changes?limit=100&after=\(cem)", token: story.cem).text
        #expect(!received.contains("\"progress\":0.4"))
        #expect(lists[1].names == ["snapshot"])
    }

    @Test("A moderators' new version of a standing names what differs from the club's, live and in replays")
    func differing() throws {
        let story = try begin()
        let (service, token) = (story.service, story.club.ada)
        let list = try Watcher(service, "\(story.path)/standings", token: token)
        #expect(list.wait(count: 1))
        let start = try service.head(token: token)
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}").status == 200)
        #expect(list.wait(count: 2))
        let feed = try service.send("GET", "/v1/changes?after=\(start)", token: token)
        let again = try Watcher(service, "\(story.path)/standings", token: token, lastEventID: list.events[0].id)
        #expect(again.wait(count: 1))
        for change in [list.events[1].value, again.events[0].value, feed["items"]?.elements.map { $0 }.last] {
            #expect(change?["changed"]?.elements.compactMap(\.string) == ["progress", "lastReadAt"], "\(feed.text)")
        }
    }

    @Test("A stream of names that breaks after a change of role, before the standings were sent again, sends them")
    func brokenAfterRole() throws {
        let story = try begin()
        let (service, cem) = (story.service, story.cem)
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}").status == 200)
        let names = #"{"s":"\#(story.path)/standings","m":"\#(story.path)/members"}"#
        let stream = try TestStream(service, names, token: cem)
        for (role, progress) in [("moderator", 0.44), ("member", 0.4)] {
            let live = try stream.open()
            #expect(live.wait { $0.events.filter { $0.name == "snapshot" }.count == 2 })
            try story.make(story.cemID, role)
            #expect(live.wait { $0.events.last?.name == "snapshot" && $0.events.contains { $0.name == "change" } })
            let change = try #require(live.events.firstIndex { $0.name == "change" })
            #expect(live.cutOff())
            let again = try stream.open(after: live.events[change].id)
            #expect(again.wait { $0.events.contains { $0.name == "snapshot" } }, "\(again.names)")
            let shown = again.events.first { $0.name == "snapshot" }?.value
            let item = shown?["value"]?["items"]?.elements.map { $0 }.first
            #expect(shown?["name"]?.string == "s" && item?["progress"]?.double == progress, "\(again.events)")
            #expect(again.cutOff())
        }
    }

    @Test("When one request changes both versions of a standing, moderators receive only theirs")
    func both() throws {
        let story = try begin()
        let (service, club) = (story.service, story.club)
        let (ada, cem) = try (service.head(token: club.ada), service.head(token: story.cem))
        let body = "{\"shares\":\"nothing\",\"sharesWithModerators\":\"exact\"}"
        #expect(try share(story, body).status == 200)
        #expect(try service.events(after: ada, token: club.ada) == ["member updated", "standing updated"])
        #expect(try service.events(after: cem, token: story.cem) == ["member updated", "standing updated"])
        #expect(try standings(story, club.ada).first?["progress"]?.double == 0.44)
        #expect(try standings(story, story.cem).first?["progress"]?.isNull == true)
    }

    @Test("A moderators' standing follows the member's settings, begins with reading along, and ends with it")
    func follows() throws {
        let story = try begin()
        let (service, club) = (story.service, story.club)
        func shown() throws -> [Double?] {
            try [club.ada, story.cem].map { try standings(story, $0).first?["progress"]?.double }
        }
        #expect(try share(story, "{\"shares\":\"nothing\",\"sharesWithModerators\":\"milestones\"}").status == 200)
        #expect(try shown() == [0.4, nil])
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}").status == 200)
        #expect(try shown() == [0.44, nil])
        let ada = try service.head(token: club.ada)
        #expect(try share(story, "{\"sharesWithModerators\":null}")["sharesWithModerators"] == nil)
        #expect(try service.events(after: ada, token: club.ada) == ["member updated", "standing updated"])
        #expect(try shown() == [nil, nil])
        // Moderators never see less than the club.
        #expect(try share(story, "{\"shares\":\"exact\",\"sharesWithModerators\":\"nothing\"}").status == 200)
        #expect(try shown() == [0.44, 0.44])

        #expect(try share(story, "{\"shares\":\"nothing\",\"sharesWithModerators\":\"exact\"}").status == 200)
        let own = try standings(story, club.ben).first?["id"]?.string ?? ""
        #expect(try service.send("DELETE", "\(story.path)/standings/\(own)", token: club.ben).status == 204)
        #expect(try standings(story, club.ada).isEmpty && standings(story, story.cem).isEmpty)
        let start = try service.head(token: club.ada)
        _ = try service.make("\(story.path)/standings", "{}", token: club.ben)
        #expect(try service.events(after: start, token: club.ada) == ["standing created"])
        #expect(try shown() == [0.44, nil])
        for token in [club.ada, story.mia] {
            #expect(
                try service.send(
                    "PATCH", "\(story.path)/members/\(club.benID)", "{\"sharesWithModerators\":\"exact\"}", token: token
                ).status == 403)
        }
        let last = try service.head(token: club.ada)
        #expect(
            try service.send("DELETE", "\(story.path)/members/\(club.benID)", token: club.ben).status == 204)
        #expect(try service.events(after: last, token: club.ada) == ["standing deleted", "member deleted"])
        #expect(try standings(story, club.ada).isEmpty)
    }

    @Test(
        "A changed role sends the standings of the new role, and no replay shows a former moderator more"
    )
    func roles() throws {
        let story = try begin()
        let (service, club) = (story.service, story.club)
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}").status == 200)
        let start = try service.head(token: story.cem)
        let list = try Watcher(service, "\(story.path)/standings", token: story.cem)
        let first = try Watcher(service, "\(story.path)/standings?limit=5", token: story.cem)
        let one = try Watcher(
            service, "\(story.path)/standings/\(standings(story, story.cem).first?["id"]?.string ?? "")",
            token: story.cem)
        let feed = try Watcher(service, "/v1/changes", token: story.cem)
        let all = [list, first, one, feed]
        #expect(all.allSatisfy { $0.wait(count: 1) })
        try story.make(story.cemID, "moderator")
        for watcher in all {
            #expect(watcher.wait { $0.events.last?.data.contains("\"progress\":0.44") == true }, "\(watcher.names)")
        }
        #expect(list.names == ["snapshot", "snapshot"])
        let promoted = try service.head(token: story.cem)
        _ = try club.read("0.46")
        for watcher in all {
            #expect(watcher.wait { $0.events.last?.data.contains("\"progress\":0.46") == true }, "\(watcher.names)")
        }
        #expect(list.names == ["snapshot", "snapshot", "updated"])

        try story.make(story.cemID, "member")
        for watcher in all {
            #expect(watcher.wait { $0.events.last?.data.contains("\"progress\":0.4,") == true }, "\(watcher.names)")
        }
        let demoted = try service.head(token: story.cem)
        _ = try club.read("0.48")
        for cursor in [start, promoted] {
            let received = try service.send("GET", "/v1/changes?limit=100&after=\(cursor)", token: story.cem).text
            #expect(!["0.44", "0.46", "0.48"].contains { received.contains("\"progress\":\($0)") }, "\(received)")
            #expect(received.contains("\"progress\":0.4,"))
            let again = try Watcher(service, "\(story.path)/standings", token: story.cem, lastEventID: cursor)
            #expect(again.wait(count: 2) && again.names == ["reset", "snapshot"], "\(again.names)")
            #expect(again.events[1].data.contains("\"progress\":0.4,"))
        }
        _ = try service.make("/v1/books", "{\"title\":\"The End\"}")
        let after = try service.send("GET", "/v1/changes?limit=100&after=\(demoted)", token: story.cem)
        #expect(after["items"]?.elements.compactMap { $0["resource"]?.string } == ["book"], "\(after.text)")
        // After the second promotion they receive the events in between, and the moderators' view.
        try story.make(story.cemID, "moderator")
        let received = try service.send("GET", "/v1/changes?limit=100&after=\(demoted)", token: story.cem)
        #expect(received["items"]?.elements.map { $0 }.last?["value"]?["progress"]?.double == 0.48, "\(received.text)")
        #expect(try standings(story, story.cem).first?["progress"]?.double == 0.48)
    }

    @Test("After a change of role, a replay has what the reader received in the former role")
    func formerRole() throws {
        let story = try begin()
        let (service, club) = (story.service, story.club)
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}").status == 200)
        let id = try #require(standings(story, story.cem).first?["id"]?.string)
        let start = try service.head(token: story.cem)
        let live = try Watcher(service, "/v1/changes", token: story.cem)
        #expect(live.wait(count: 1))
        _ = try club.read("0.46")
        try story.make(story.cemID, "moderator")
        try story.make(story.cemID, "member")
        #expect(try service.send("DELETE", "\(story.path)/standings/\(id)", token: club.ben).status == 204)
        try story.make(story.cemID, "moderator")
        let mark = try service.make("/v1/books", "{\"title\":\"The End\"}")
        let replayed = try Watcher(service, "/v1/changes", token: story.cem, lastEventID: start)
        for watcher in [live, replayed] { #expect(watcher.wait { $0.events.last?.data.contains(mark) ?? false }) }
        let received = [live, replayed].map { $0.events.map(\.data).filter { $0.contains("\"standing\"") } }
        // The moderators' version of the first time as a moderator is not shown again.
        #expect(received[1].count == 2 && received[1] == received[0].suffix(2))
        #expect(received[1].last?.contains("\"change\":\"deleted\"") ?? false, "\(received[1])")
        #expect(!received[1].contains { $0.contains("\"changed\":[]") })
    }

    @Test("An import derives the moderators' standings from what the member shares")
    func imported() throws {
        let story = try begin()
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}").status == 200)
        let lines = Array(try story.service.lines("/v1/admin/export").dropFirst().dropLast())
        #expect(lines.filter { $0.contains("{\"kind\":\"standing\"") }.count == 1)
        let ada = try story.service.send("GET", "/v1/me", token: story.club.ada)["id"]?.string ?? ""
        for isShared in [true, false] {
            let other = try TestService()
            let given = isShared ? lines : lines.map { $0.replacing(",\"sharesWithModerators\":\"exact\"", with: "") }
            let answer = try other.bring(given)
            #expect(answer["refused"]?.elements.isEmpty == true, "\(answer.text)")
            let token = try other.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(ada)\"}")["token"]?.string
            let list = try other.send("GET", "\(story.path)/standings", token: token)
            let shown = list["items"]?.elements.map { $0["progress"]?.double }
            #expect(shown == [isShared ? 0.44 : 0.4], "\(list.text)")
        }
    }

    @Test(
        "A club's sharing rules are shown before joining; readers who are let in share no more than their settings allow"
    )
    func coming() throws {
        let story = try AudienceStory(club: ",\"visibility\":\"listed\"")
        let (service, club) = (story.service, story.club)
        let defaults = "{\"defaultShares\":\"exact\",\"defaultSharesWithModerators\":\"exact\"}"
        #expect(try service.send("PATCH", story.path, defaults, token: club.ada).status == 200)
        let listings = try service.send("GET", "/v1/listings?club=\(club.club)", token: story.dan)["items"]
        let listing = try #require(listings?.elements.first { _ in true })
        #expect(try service.send("GET", "/v1/listings?club=\(club.club)&cursor=x", token: story.dan).status == 409)
        #expect(listing["defaultShares"]?.string == "exact")
        #expect(listing["defaultSharesWithModerators"]?.string == "exact")
        let code =
            try service.send("POST", "\(story.path)/invitations", "{\"usesMax\":9}", token: club.ada)["code"]?.string
            ?? ""
        let given = "{\"invitation\":\"\(code)\",\"shares\":\"finished\",\"sharesWithModerators\":null}"
        let start = try service.head(token: club.ada)
        func preview(_ code: String, by token: String) throws -> Answer {
            try service.send("POST", "/v1/links/preview", "{\"invitation\":\"\(code)\"}", token: token)
        }
        let shown = try preview(code, by: story.dan)
        #expect(shown.status == 200 && shown["kind"]?.string == "membership" && shown["reader"]?.isNull == true)
        #expect(shown["club"]?["id"]?.string == club.club && shown["club"]?["name"]?.string == "Tuesdays")
        #expect(shown["shares"]?.string == "exact" && shown["sharesWithModerators"]?.string == "exact")
        // Anonymous clients see the club and the maker, as with a link.
        let anonymous = try preview(code, by: "")
        #expect(anonymous["club"]?.encoded == shown["club"]?.encoded && anonymous["maker"]?["name"]?.string == "Ada")
        #expect(anonymous["shares"] == nil && anonymous["sharesWithModerators"] == nil)
        #expect(try preview(code, by: "lectern_none").status == 401)
        for token in [story.dan, ""] {
            let none = try preview("x", by: token)
            #expect(none.status == 422 && none.pointers == ["/invitation"])
        }
        let both = "{\"invitation\":\"\(code)\",\"link\":\"x\"}"
        let refused = try service.send("POST", "/v1/links/preview", both, token: "")
        #expect(refused.pointers == ["/link"] && refused.text.contains("cannot be given with invitation"))
        let empty = try service.send("POST", "/v1/links/preview", "{}", token: "")
        #expect(empty.pointers == ["/link"] && empty.text.contains("is required without an invitation"))
        #expect(try service.events(after: start, token: club.ada) == [])

        let dan = try service.send("POST", "/v1/memberships", given, token: story.dan)
        #expect(dan["shares"]?.string == "finished" && dan["sharesWithModerators"] == nil)
        let eve = try service.send(
            "POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", token: service.reader("Eve"))
        let again = try preview(code, by: story.dan)
        #expect(again["shares"]?.string == "finished" && again["sharesWithModerators"]?.isNull == true)
        #expect(eve["shares"]?.string == "exact" && eve["sharesWithModerators"]?.string == "exact")
        let fay = try service.reader("Fay")
        let request = try service.make("/v1/requests", "{\"club\":\"\(club.club)\"}", token: fay)
        let path = "/v1/requests/\(request)"
        #expect(try service.send("PATCH", path, "{\"state\":\"accepted\"}", token: club.ada).status == 200)
        let fays = try service.send("GET", "/v1/me", token: fay)["id"]?.string ?? ""
        let member = try service.send("GET", "\(story.path)/members?limit=100", token: club.ada)["items"]?.elements
            .first { $0["reader"]?.string == fays }
        #expect(member?["shares"]?.string == "milestones")
        #expect(member?["sharesWithModerators"]?.string == "milestones")
    }
}
