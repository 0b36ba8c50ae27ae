import JSON
import SharedByTests
import Testing

@testable import API

/// Notes that were visible to a reader for a while: no replay and no repeated response shows their words afterwards.
@Suite("Notes that are hidden again", .serialized, .ownThreads)
struct HiddenAgainTests {
    /// Returns the text of everything that the reader gets from a cursor: from the change feed, and from a stream of the
    /// club's notes.
    private func replayed(_ story: ClubStory, after cursor: String) throws -> String {
        let feed = try story.service.send("GET", "/v1/changes?limit=100&after=\(cursor)", token: story.ben)
        let watcher = try Watcher(
            story.service, "/v1/clubs/\(story.club)/notes", token: story.ben, lastEventID: cursor)
        let end = try story.note("0", "the end")
        #expect(watcher.wait { $0.events.last?.data.contains(end) ?? false })
        return feed.text + watcher.events.map { "\($0.name) \($0.data)" }.joined()
    }

    @Test("A replay has no words of a note whose unlocking entry was deleted")
    func undone() throws {
        let story = try ClubStory()
        let start = try story.service.head(token: story.ben)
        let note = try story.note("0.9", "the killer is X")
        let slip = try story.read("0.95")
        #expect(try story.service.send("GET", "/v1/notes/\(note)", token: story.ben).status == 200)
        let path = "/v1/readings/\(story.reading)/entries/\(slip)"
        #expect(try story.service.send("DELETE", path, token: story.ben).status == 204)
        #expect(try story.service.send("GET", "/v1/notes/\(note)", token: story.ben).status == 404)
        let text = try replayed(story, after: start)
        #expect(text.contains(note) && !text.contains("killer"), "\(text)")
        // Its author still gets them.
        let own = try story.service.send("GET", "/v1/changes?limit=100&after=\(start)", token: story.ada)
        #expect(own.text.contains("killer"))
    }

    @Test("A replay has no words of a note whose author was blocked later")
    func blocked() throws {
        let story = try ClubStory()
        let start = try story.service.head(token: story.ben)
        let note = try story.note("0", "an insult")
        let ada = try story.service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        #expect(try story.service.send("PUT", "/v1/me/blocks/\(ada)", token: story.ben).status == 201)
        let feed = try story.service.send("GET", "/v1/changes?limit=100&after=\(start)", token: story.ben).text
        #expect(feed.contains(note) && !feed.contains("insult"), "\(feed)")
        #expect(try story.service.send("DELETE", "/v1/me/blocks/\(ada)", token: story.ben).status == 204)
        let again = try story.service.send("GET", "/v1/changes?limit=100&after=\(start)", token: story.ben).text
        #expect(again.contains("insult"))
    }

    @Test("A watched window sends no words of a note that the commit moves into it and hides")
    func movedIn() throws {
        for isInOneBatch in [false, true] {
            let story = try ClubStory()
            let club = "/v1/clubs/\(story.club)"
            func set(_ sees: Bool) -> String {
                "{\"method\":\"PATCH\",\"path\":\"\(club)\",\"body\":{\"moderatorsSeeAhead\":\(sees)}}"
            }
            func role(_ name: String) throws {
                let path = "\(club)/members/\(story.benID)"
                let answer = try story.service.send("PATCH", path, "{\"role\":\"\(name)\"}", token: story.ada)
                #expect(answer.status == 200)
            }
            func batch(_ lines: String...) throws {
                let body = "{\"atomic\":true,\"requests\":[\(lines.joined(separator: ","))]}"
                #expect(try story.service.send("POST", "/v1/batch", body, token: story.ada).status == 200)
            }
            try role("moderator")
            if !isInOneBatch { try batch(set(true)) }
            // The first page begins with the newest note, and each has its place before the older ones.
            for (place, words) in [("0.8", "secret one"), ("0.7", "secret two"), ("0.6", "secret three")] {
                _ = try story.note(place, words)
            }
            let watcher = try Watcher(story.service, "\(club)/notes?limit=1", token: story.ben)
            #expect(watcher.wait(count: 1))
            if isInOneBatch { try batch(set(true), set(false)) } else { try role("member") }
            let end = try story.note("0", "the end")
            #expect(watcher.wait { $0.events.last?.data.contains(end) ?? false })
            let text = watcher.events.dropFirst().map { "\($0.name) \($0.data)" }.joined(separator: "\n")
            #expect(!text.contains("secret"), "\(text)")
        }
    }

    @Test("A watched window of a reader who leaves with their notes sends no notes in place of these")
    func left() throws {
        let story = try ClubStory()
        let path = "/v1/clubs/\(story.club)/notes?limit=1"
        _ = try story.note("0", "Ada's words")
        let own = "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"body\":\"mine\"}"
        #expect(try story.service.send("POST", "/v1/notes", own, token: story.ben).status == 201)
        let watcher = try Watcher(story.service, path, token: story.ben)
        #expect(watcher.wait(count: 1))
        let leaving = "/v1/clubs/\(story.club)/members/\(story.benID)?notes=delete"
        #expect(try story.service.send("DELETE", leaving, token: story.ben).status == 204)
        #expect(watcher.wait(count: 2))
        #expect(watcher.events.dropFirst().map(\.name) == ["leave"])
        let text = watcher.events.map(\.data).joined()
        #expect(text.contains("noLongerYours") && !text.contains("Ada's words"), "\(text)")
    }

    @Test("A repeated request that created a note which was deleted since is 204, without a location")
    func created() throws {
        let story = try ClubStory()
        let body = "{\"book\":\"\(story.book)\",\"body\":\"words\"}"
        func create() throws -> Answer {
            try story.service.send("POST", "/v1/notes", body, token: story.ben, fields: ["Idempotency-Key: k"])
        }
        let first = try create()
        #expect(first.status == 201 && first.fields["location"] != nil)
        let path = "/v1/notes/\(first["id"]?.string ?? "")"
        #expect(try story.service.send("DELETE", path, token: story.ben).status == 204)
        let again = try create()
        #expect(
            again.status == 204 && again.fields["location"] == nil && again.fields["idempotency-replayed"] == "true")
    }

    @Test("The response to a repeated request has no note that was hidden, was deleted or lost its author since")
    func repeated() throws {
        for (index, (method, path, body))
            in ([
                ("DELETE", "/v1/notes/NOTE", nil), ("PATCH", "/v1/notes/NOTE", #"{"threshold":"finished"}"#),
                ("DELETE", "/v1/clubs/CLUB/members/ADA?notes=nameless", nil),
                ("DELETE", "/v1/notes/NOTE", nil), ("PATCH", "/v1/notes/NOTE", #"{"threshold":"finished"}"#),
                ("DELETE", "/v1/clubs/CLUB/members/ADA?notes=nameless", nil),
            ] as [(String, String, String?)]).enumerated()
        {
            let story = try ClubStory(club: ",\"visibility\":\"listed\"")
            let cleo = try story.service.reader("Cleo")
            try story.join(cleo)
            let ada = try story.service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
            let note = try story.note("0", "her words")
            if path.contains("ADA") {
                let id = try story.service.send("GET", "/v1/me", token: cleo)["id"]?.string ?? ""
                let owner = "/v1/clubs/\(story.club)/members/\(id)"
                #expect(try story.service.send("PATCH", owner, #"{"role":"owner"}"#, token: story.ada).status == 200)
            }
            let reaction = "/v1/notes/\(note)/reactions/love"
            func react() throws -> Answer {
                let (fields, token) = (["Idempotency-Key: k"], story.ben)
                if index < 3 { return try story.service.send("PUT", reaction, token: token, fields: fields) }
                let scene = #"{"method":"PUT","path":"/v1/scenes/phone/x","body":{"value":{"replyCount":1}}}"#
                let batch = #"{"atomic":true,"requests":[{"method":"PUT","path":"\#(reaction)"},\#(scene)]}"#
                return try story.service.send("POST", "/v1/batch", batch, token: token, fields: fields)
            }
            #expect(try react().text.contains("her words"))
            #expect(try react().text.contains("her words"))
            let target = path.replacing("NOTE", with: note).replacing("CLUB", with: story.club).replacing(
                "ADA", with: ada)
            let answer = try story.service.send(method, target, body, token: story.ada)
            #expect([200, 204].contains(answer.status), "\(answer.text)")
            let again = try react()
            #expect(again.fields["idempotency-replayed"] == "true")
            if index < 3 {
                #expect(again.status == 204, "\(again.text)")
            } else {
                // The other line is as it was, although it looks like a note.
                let lines = again["answers"]?.elements ?? []
                #expect(again.status == 200 && lines.count == 2 && lines[0]["status"]?.integer == 200)
                #expect(
                    lines[0]["body"] == nil && lines[1]["body"]?["value"]?["replyCount"]?.integer == 1, "\(again.text)")
            }
        }
    }
}
