import API
import Foundation
import JSON
import SharedByTests
import Testing

/// What members share with those who moderate their club, apart from what all of it see.
@Suite("Sharing with moderators", .serialized, .ownThreads)
struct SharingTests {
    /// The club's book is current, with a milestone at 40 %; Ben, at 44 %, reads along.
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

    @Test("It is in a standing of its own, which moderators see and hear of, and nobody else")
    func apart() throws {
        let story = try begin()
        let (service, club) = (story.service, story.club)
        let apart = "?audience=moderators"
        #expect(try standings(story, club.ada, apart).isEmpty)
        let (ada, cem) = try (service.head(token: club.ada), service.head(token: story.cem))
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}")["sharesWithModerators"]?.string == "exact")
        #expect(try service.events(after: ada, token: club.ada) == ["member updated", "standing created"])
        #expect(try service.events(after: cem, token: story.cem) == ["member updated"])
        for token in [club.ada, story.mia] {
            let shown = try standings(story, token, apart)
            #expect(shown.map { $0["reader"]?.string } == [club.benID])
            #expect(shown.first?["progress"]?.double == 0.44 && shown.first?["audience"]?.string == "moderators")
        }
        for token in [club.ada, story.cem, club.ben] {
            let shown = try standings(story, token)
            #expect(shown.count == 1 && shown.first?["progress"]?.double == 0.4 && shown.first?["audience"] == nil)
        }
        for token in [story.cem, club.ben] {
            #expect(try service.send("GET", "\(story.path)/standings\(apart)", token: token).status == 403)
        }
        #expect(try service.send("GET", "\(story.path)/standings\(apart)", token: story.dan).status == 404)

        let feeds = try [club.ada, story.cem].map { try Watcher(service, "/v1/changes", token: $0) }
        #expect(feeds.allSatisfy { $0.wait(count: 1) })
        _ = try club.read("0.46")
        let mark = try service.make("/v1/books", "{\"title\":\"The End\"}")
        for feed in feeds { #expect(feed.wait { $0.events.last?.data.contains(mark) ?? false }) }
        #expect(feeds[0].names.dropFirst() == ["updated", "created"])
        #expect(feeds[1].names.dropFirst() == ["created"])
        #expect(try standings(story, story.mia, apart).first?["progress"]?.double == 0.46)
        let told = try service.send("GET", "/v1/changes?limit=100&after=\(cem)", token: story.cem).text
        #expect(!told.contains("\"progress\":0.4") && !told.contains("\"audience\""))
    }

    @Test("It follows what the member says, comes with reading along, and goes with it")
    func follows() throws {
        let story = try begin()
        let (service, club) = (story.service, story.club)
        let apart = "?audience=moderators"
        #expect(try share(story, "{\"shares\":\"nothing\",\"sharesWithModerators\":\"milestones\"}").status == 200)
        #expect(try standings(story, story.cem).first?["progress"]?.isNull == true)
        #expect(try standings(story, club.ada, apart).first?["progress"]?.double == 0.4)
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}").status == 200)
        #expect(try standings(story, club.ada, apart).first?["progress"]?.double == 0.44)
        let ada = try service.head(token: club.ada)
        #expect(try share(story, "{\"sharesWithModerators\":null}")["sharesWithModerators"] == nil)
        #expect(try service.events(after: ada, token: club.ada) == ["member updated", "standing deleted"])
        #expect(try standings(story, club.ada, apart).isEmpty)

        #expect(try share(story, "{\"sharesWithModerators\":\"finished\"}").status == 200)
        let own = try standings(story, club.ben).first?["id"]?.string ?? ""
        let path = "\(story.path)/standings/\(own)"
        #expect(try service.send("DELETE", path, token: club.ben).status == 204)
        #expect(try standings(story, club.ada).isEmpty && standings(story, club.ada, apart).isEmpty)
        _ = try service.make("\(story.path)/standings", "{}", token: club.ben)
        #expect(try standings(story, club.ada).count == 1 && standings(story, club.ada, apart).count == 1)
        // One that is shown to moderators is nobody's to name.
        let confided = try standings(story, club.ada, apart).first?["id"]?.string ?? ""
        let other = "\(story.path)/standings/\(confided)"
        for token in [club.ben, story.cem, club.ada] {
            #expect(try service.send("DELETE", other, token: token).status == 404)
        }
        for token in [club.ada, story.mia] {
            #expect(
                try service.send(
                    "PATCH", "\(story.path)/members/\(club.benID)", "{\"sharesWithModerators\":\"exact\"}", token: token
                ).status == 403)
        }
        #expect(
            try service.send("DELETE", "\(story.path)/members/\(club.benID)", token: club.ben).status == 204)
        #expect(try standings(story, club.ada).isEmpty && standings(story, club.ada, apart).isEmpty)
    }

    @Test(
        "An import brings them, but none of who shares nothing apart; one that breaks off between the two leaves a sound house"
    )
    func brought() throws {
        let story = try begin()
        #expect(try share(story, "{\"sharesWithModerators\":\"exact\"}").status == 200)
        let lines = Array(try story.service.lines("/v1/admin/export").dropFirst().dropLast())
        let apart = lines.filter { $0.contains("\"audience\":\"moderators\"") }
        #expect(apart.count == 1)
        // Each house is checked when its service ends.
        for (isShared, isWhole) in [(true, false), (true, true), (false, true)] {
            let other = try TestService()
            let said = isShared ? lines : lines.map { $0.replacing(",\"sharesWithModerators\":\"exact\"", with: "") }
            let brought = try other.bring(said.filter { $0 != apart[0] })
            #expect(brought["refused"]?.elements.isEmpty == true, "\(brought.text)")
            guard isWhole else { continue }
            let last = try other.bring(apart)
            #expect(last["created"]?.integer == (isShared ? 1 : 0), "\(last.text)")
        }
    }

    @Test(
        "What those share who come is shown before, and is what they say; who is let in shares no more than their settings say"
    )
    func coming() throws {
        let story = try AudienceStory(club: ",\"visibility\":\"listed\"")
        let (service, club) = (story.service, story.club)
        let defaults = "{\"defaultShares\":\"exact\",\"defaultSharesWithModerators\":\"exact\"}"
        #expect(try service.send("PATCH", story.path, defaults, token: club.ada).status == 200)
        let listing = try service.send("GET", "/v1/listings/\(club.club)", token: story.dan)
        #expect(listing["defaultShares"]?.string == "exact")
        #expect(listing["defaultSharesWithModerators"]?.string == "exact")
        let code =
            try service.send("POST", "\(story.path)/invitations", "{\"usesMax\":9}", token: club.ada)["code"]?.string
            ?? ""
        let said = "{\"invitation\":\"\(code)\",\"shares\":\"finished\",\"sharesWithModerators\":null}"
        let start = try service.head(token: club.ada)
        let shown = try service.send(
            "POST", "/v1/memberships/preview", "{\"invitation\":\"\(code)\"}", token: story.dan)
        #expect(shown.status == 200 && shown["club"]?.string == club.club && shown["name"]?.string == "Tuesdays")
        #expect(shown["shares"]?.string == "exact" && shown["sharesWithModerators"]?.string == "exact")
        let otherwise = try service.send("POST", "/v1/memberships/preview", said, token: story.dan)
        #expect(otherwise["shares"]?.string == "finished" && otherwise["sharesWithModerators"]?.isNull == true)
        let none = try service.send("POST", "/v1/memberships/preview", "{\"invitation\":\"x\"}", token: story.dan)
        #expect(none.status == 422 && none.pointers == ["/invitation"])
        #expect(try service.events(after: start, token: club.ada) == [])

        let dan = try service.send("POST", "/v1/memberships", said, token: story.dan)
        #expect(dan["shares"]?.string == "finished" && dan["sharesWithModerators"] == nil)
        let eve = try service.send(
            "POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", token: service.reader("Eve"))
        let again = try service.send(
            "POST", "/v1/memberships/preview", "{\"invitation\":\"\(code)\"}", token: story.dan)
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
