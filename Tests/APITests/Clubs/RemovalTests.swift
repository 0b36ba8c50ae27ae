import API
import Foundation
import JSON
import SharedByTests
import Testing

/// Tests of leaving a club, of rejoining it, and of what remains.
@Suite("Leaving a club and returning", .serialized, .ownThreads)
struct RemovalTests {
    /// Creates an invitation and returns its code.
    private func invite(_ story: ClubStory, _ token: String, uses: Int = 9) throws -> String {
        let answer = try story.service.send(
            "POST", "/v1/clubs/\(story.club)/invitations", "{\"usesMax\":\(uses)}", token: token)
        #expect(answer.status == 201)
        return answer["code"]?.string ?? ""
    }

    private func join(_ story: ClubStory, _ code: String, _ token: String) throws -> Answer {
        try story.service.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", token: token)
    }

    private func give(_ story: ClubStory, _ role: String) throws {
        let path = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try story.service.send("PATCH", path, "{\"role\":\"\(role)\"}", token: story.ada).status == 200)
    }

    @Test("An invitation belongs to the club: moderators see and revoke it, and it ends with its creator's right")
    func invitations() throws {
        let story = try ClubStory()
        let service = story.service
        try give(story, "moderator")
        let start = try service.head(token: story.ada)
        let code = try invite(story, story.ben)
        let listed = try story.list("invitations").filter { $0["maker"]?.string == story.benID }
        #expect(listed.count == 1 && listed.first?["code"] == nil)
        #expect(try join(story, code, try service.reader("Cem")).status == 201)
        #expect(
            try service.events(after: start, token: story.ada) == [
                "invitation created", "member created", "invitation updated",
            ])
        let watched = try Watcher(service, "/v1/changes", token: story.ben)
        #expect(watched.wait(count: 1))
        let (ada, ben) = (try service.head(token: story.ada), try service.head(token: story.ben))
        try give(story, "member")
        #expect(try service.events(after: ada, token: story.ada) == ["member updated", "invitation deleted"])
        let dan = try service.reader("Dan")
        let refused = try join(story, code, dan)
        #expect(refused.status == 422 && refused.pointers == ["/invitation"])
        // The inviter receives no more events of it, neither live nor replayed.
        _ = try invite(story, story.ada)
        let mark = try service.make("/v1/books", "{\"title\":\"The End\"}")
        #expect(watched.wait { $0.events.last?.data.contains(mark) ?? false })
        #expect(watched.names.dropFirst() == ["updated", "created"])
        #expect(try service.events(after: ben, token: story.ben) == ["member updated", "book created"])

        try give(story, "moderator")
        let other = try invite(story, story.ben)
        let id = try story.list("invitations").first { $0["maker"]?.string == story.benID }?["id"]?.string ?? ""
        let stale = try service.send(
            "DELETE", "/v1/clubs/\(story.club)/invitations/\(id)", token: story.ada,
            fields: ["If-Match: \"00000000-1\""])
        #expect(stale.status == 412)
        #expect(
            try service.send("DELETE", "/v1/clubs/\(story.club)/invitations/\(id)", token: story.ada).status == 204)
        #expect(try join(story, other, dan).status == 422)
        let last = try invite(story, story.ben)
        let own = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try service.send("DELETE", own, token: story.ben).status == 204)
        #expect(try join(story, last, dan).status == 422)
    }

    @Test("The code of an invitation is shown once, and in no repetition, list, log or event")
    func code() throws {
        let story = try ClubStory()
        let service = story.service
        let feed = try Watcher(service, "/v1/changes", token: story.ada)
        #expect(feed.wait(count: 1))
        let path = "/v1/clubs/\(story.club)/invitations"
        let fields = ["Idempotency-Key: one"]
        let first = try service.send("POST", path, "{}", token: story.ada, fields: fields)
        let code = first["code"]?.string ?? ""
        #expect(first.status == 201 && code.utf8.count == 43)
        let again = try service.send("POST", path, "{}", token: story.ada, fields: fields)
        #expect(again.status == 201 && again["id"] != nil && again.fields["idempotency-replayed"] == "true")
        #expect(feed.wait(count: 2) && feed.events[1].data.contains("\"maker\""))
        let log = try service.send("GET", "/v1/changes?limit=100&after=", token: story.ada).text
        for text in [again.text, try service.send("GET", path, token: story.ada).text, log, feed.events[1].data] {
            #expect(text.contains("usesMax") && !text.contains(code) && !text.contains("\"code\""))
        }
        #expect(try join(story, code, try service.reader("Cem")).status == 201)
    }

    @Test("A removed member cannot return by a code until a moderator allows it; a member who left can")
    func removal() throws {
        let story = try ClubStory(club: ",\"visibility\":\"listed\"")
        let service = story.service
        let code = try invite(story, story.ada)
        let (ada, ben) = (try service.head(token: story.ada), try service.head(token: story.ben))
        try story.remove(story.ben)
        #expect(try service.events(after: ada, token: story.ada) == ["member deleted", "removal created"])
        #expect(try service.events(after: ben, token: story.ben) == ["membership deleted"])
        let removals = try story.list("removals")
        #expect(removals.count == 1 && removals.first?["reader"]?.string == story.benID)
        #expect(removals.first?["name"]?.string == "Ben" && removals.first?["isBanned"]?.bool == false)
        let start = try service.head(token: story.ada)
        let refused = try join(story, code, story.ben)
        #expect(refused.status == 403 && refused["type"]?.string == "/problems/removed-from-club")
        #expect(try service.events(after: start, token: story.ada) == [])

        let request = try service.make("/v1/requests", "{\"club\":\"\(story.club)\"}", token: story.ben)
        let path = "/v1/requests/\(request)"
        #expect(try service.send("PATCH", path, "{\"state\":\"accepted\"}", token: story.ada).status == 200)
        #expect(try story.list("removals").isEmpty)
        #expect(
            try service.events(after: start, token: story.ada) == [
                "joinRequest created", "joinRequest updated", "member created", "removal deleted",
            ])

        let own = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try service.send("DELETE", "\(own)?ban=true", token: story.ben).status == 400)
        #expect(try service.send("DELETE", own, token: story.ben).status == 204)
        #expect(try story.list("removals").isEmpty)
        #expect(try join(story, code, story.ben).status == 201)
    }

    @Test("A banned reader cannot ask to join until the ban is lifted")
    func ban() throws {
        let story = try ClubStory(club: ",\"visibility\":\"listed\"")
        let service = story.service
        let code = try invite(story, story.ada)
        try story.remove(story.ben, "?ban=true")
        let start = try service.head(token: story.ada)
        #expect(try join(story, code, story.ben).status == 403)
        let asked = try service.send("POST", "/v1/requests", "{\"club\":\"\(story.club)\"}", token: story.ben)
        #expect(asked.status == 403 && asked["type"]?.string == "/problems/removed-from-club")
        #expect(try service.events(after: start, token: story.ada) == [])
        let removal = try story.list("removals").first
        #expect(removal?["isBanned"]?.bool == true)
        let path = "/v1/clubs/\(story.club)/removals/\(removal?["id"]?.string ?? "")"
        #expect(try service.send("DELETE", path, token: story.ben).status == 404)
        #expect(try service.send("DELETE", path, token: story.ada).status == 204)
        #expect(try service.send("DELETE", path, token: story.ada).status == 404)
        #expect(try service.events(after: start, token: story.ada) == ["removal deleted"])
        #expect(try join(story, code, story.ben).status == 201)
        #expect(try service.send("DELETE", "/v1/clubs/\(story.club)", token: story.ada).status == 204)
    }

    @Test("A former member still reads and deletes their own notes in the club, and sees nothing else of it")
    func formerNotes() throws {
        let story = try ClubStory()
        let service = story.service
        let body =
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"threshold\":\"everyone\",\"body\":\"mine\"}"
        let note = try service.make("/v1/notes", body, token: story.ben)
        let path = "/v1/notes/\(note)"
        let hers = try story.note("0", "hers")
        try story.remove(story.ben)
        let (ada, ben) = (try service.head(token: story.ada), try service.head(token: story.ben))
        #expect(try service.send("PUT", "\(path)/reactions/love", token: story.ada).status == 200)
        let reply = "{\"replyTo\":\"\(note)\",\"body\":\"well\"}"
        _ = try service.make("/v1/notes", reply, token: story.ada)
        #expect(try service.events(after: ben, token: story.ben) == [])

        let list = try service.send("GET", "/v1/notes", token: story.ben)
        #expect(list["items"]?.elements.compactMap { $0["id"]?.string } == [note])
        let seen = try service.send("GET", path, token: story.ben)
        #expect(seen.status == 200 && seen["body"]?.string == "mine")
        #expect(!seen.text.contains("love") && !list.text.contains("love") && !list.text.contains("well"))
        #expect(try service.send("GET", "/v1/notes/\(hers)", token: story.ben).status == 404)
        for (method, path, body) in [
            ("PATCH", path, "{\"body\":\"more\"}"), ("POST", "/v1/notes", reply),
            ("PUT", "\(path)/reactions/love", nil), ("GET", "\(path)/reactions", nil),
        ] {
            let answer = try service.send(method, path, body, token: story.ben)
            #expect(answer.status == 403 && answer["type"]?.string == "/problems/former-member", "\(method) \(path)")
        }
        let watcher = try Watcher(service, path, token: story.ben)
        #expect(watcher.wait { $0.status.hasSuffix("403") })

        let stale = try service.send("DELETE", path, token: story.ben, fields: ["If-Match: \"00000000-1\""])
        #expect(stale.status == 412 && !stale.text.contains("love"))
        #expect(try service.send("DELETE", path, token: story.ben).status == 204)
        #expect(try service.send("GET", path, token: story.ben).status == 404)
        #expect(
            try service.events(after: ada, token: story.ada)
                == ["note updated", "note created", "note updated", "note deleted"])
        #expect(try service.events(after: ben, token: story.ben) == [])
    }

    @Test("A club shows former members by their last name there, and members by their present one")
    func names() throws {
        let story = try ClubStory()
        let service = story.service
        let meeting = try story.meeting(",\"book\":\"\(story.book)\"")
        let body =
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"threshold\":\"everyone\",\"body\":\"mine\"}"
        _ = try service.make("/v1/notes", body, token: story.ben)
        func text() throws -> String {
            try service.send(
                "GET", "/v1/clubs/\(story.club)/meetings/\(meeting)/notes", token: story.ada,
                fields: ["Accept: text/markdown"]
            ).text
        }
        func rename(_ name: String) throws {
            #expect(try service.send("PATCH", "/v1/me", "{\"name\":\"\(name)\"}", token: story.ben).status == 200)
        }
        try rename("Benno")
        #expect(try text().contains("**Benno**"))
        let own = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try service.send("DELETE", own, token: story.ben).status == 204)
        try rename("Somebody else")
        #expect(try text().contains("**Benno**"))
        try story.join(story.ben)
        #expect(try text().contains("**Somebody else**"))
    }
}
