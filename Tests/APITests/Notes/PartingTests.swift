import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

/// Tests of the notes of members who leave a club, and of their authors' names.
@Suite("Notes of members who leave a club", .serialized, .ownThreads)
struct PartingTests {
    private static let nobody = "00000000-0000-0000-0000-000000000000"

    /// Creates Ben's note for the club.
    private func note(_ story: ClubStory, _ body: String) throws -> String {
        try story.service.make(
            "/v1/notes",
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"position\":{\"progress\":0},\"body\":\"\(body)\"}",
            token: story.ben)
    }

    private func leave(_ story: ClubStory, _ query: String = "") throws -> Answer {
        try story.service.send("DELETE", "/v1/clubs/\(story.club)/members/\(story.benID)\(query)", token: story.ben)
    }

    private func get(_ story: ClubStory, _ note: String, _ token: String) throws -> Answer {
        try story.service.send("GET", "/v1/notes/\(note)", token: token)
    }

    /// Returns the ids of Ben's own notes in the club.
    private func own(_ story: ClubStory) throws -> [String] {
        let list = try story.service.send("GET", "/v1/notes?limit=100&club=\(story.club)", token: story.ben)
        return list["items"]?.elements.compactMap { $0["id"]?.string } ?? []
    }

    /// Returns a note as a list's stream sent it last.
    private func received(_ watcher: Watcher, _ note: String) -> String? {
        watcher.events.last { $0.data.contains(note) }.flatMap { event in
            (try? JSONDocument(Array(event.data.utf8)).root)?["value"].map {
                String(decoding: $0.encoded, as: UTF8.self)
            }
        }
    }

    @Test("By default notes keep their author's name, and the author still finds and deletes them")
    func keep() throws {
        let story = try ClubStory()
        let (one, two) = (try note(story, "one"), try note(story, "two"))
        let before = try get(story, one, story.ada)
        #expect(before["author"]?.string == story.benID && before["authorName"]?.string == "Ben")
        let start = try story.service.head(token: story.ada)
        #expect(try leave(story).status == 204)
        #expect(try story.service.events(after: start, token: story.ada) == ["member deleted"])
        #expect(try get(story, one, story.ada).text == before.text)
        #expect(try own(story) == [two, one] && get(story, one, story.ben)["authorName"]?.string == "Ben")
        #expect(try story.service.send("DELETE", "/v1/notes/\(one)", token: story.ben).status == 204)
        #expect(try own(story) == [two] && get(story, one, story.ada).status == 404)
    }

    @Test(
        "Nameless notes name nobody: in no response, search, stream, report, block or meeting; only their author lists them"
    )
    func nameless() throws {
        let story = try ClubStory()
        let service = story.service
        let note = try note(story, "whose is it")
        let meeting = try story.meeting(",\"book\":\"\(story.book)\"")
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ada)
        let one = try Watcher(service, "/v1/notes/\(note)", token: story.ada)
        #expect(list.wait(count: 1) && one.wait(count: 1))
        let start = try service.head(token: story.ada)
        let written = try get(story, note, story.ada)["updatedAt"]?.string
        #expect(try leave(story, "?notes=nameless").status == 204)
        #expect(try service.events(after: start, token: story.ada) == ["note updated", "member deleted"])
        let seen = try get(story, note, story.ada)
        #expect(seen["author"]?.string == Self.nobody && seen["authorName"] == nil)
        #expect(seen["body"]?.string == "whose is it" && seen["updatedAt"]?.string == written)
        #expect(list.wait(count: 2) && one.wait(count: 2))
        #expect(received(list, note) == seen.text && received(one, note) == seen.text)
        let page = try service.send("GET", "/v1/changes?after=\(start)", token: story.ada)["items"]?.elements.first {
            _ in
            true
        }
        #expect(page?["changed"]?.elements.compactMap(\.string) == ["author", "authorName"])
        for path in ["/v1/clubs/\(story.club)/notes", "/v1/clubs/\(story.club)/notes?q=whose"] {
            let answer = try service.send("GET", path, token: story.ada)
            #expect(answer.text.contains(note) && !answer.text.contains(story.benID) && !answer.text.contains("Ben"))
        }
        let talk = "/v1/clubs/\(story.club)/meetings/\(meeting)/notes"
        let text = try service.send("GET", talk, token: story.ada, fields: ["Accept: text/markdown"]).text
        #expect(text.contains("**Somebody**") && !text.contains("Ben"))
        // The response does not reveal either that a reader with that id wrote here.
        #expect(try service.send("PUT", "/v1/me/blocks/\(story.benID)", token: story.ada).status == 404)
        let report = try service.send(
            "POST", "/v1/reports", "{\"about\":\"note\",\"subject\":\"\(note)\",\"reason\":\"spam\"}", token: story.ada)
        #expect(report.status == 201 && report["author"]?.isNull == true)

        #expect(try own(story) == [note] && get(story, note, story.ben).status == 200)
        try story.join(story.ben)
        #expect(try get(story, note, story.ada).text == seen.text)
        #expect(try service.send("PATCH", "/v1/me", "{\"name\":\"Benno\"}", token: story.ben).status == 200)
        #expect(try get(story, note, story.ada).text == seen.text)
        #expect(try service.send("DELETE", "/v1/notes/\(note)", token: story.ben).status == 204)
    }

    @Test("Deleted notes are gone and replies to them stay; private notes and those in other clubs are not affected")
    func delete() throws {
        let story = try ClubStory()
        let service = story.service
        let note = try note(story, "one")
        let reply = try service.make("/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"two\"}", token: story.ada)
        let own = try service.make("/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"mine\"}", token: story.ben)
        let other = try service.make("/v1/clubs", "{\"name\":\"Mondays\"}", token: story.ben)
        let there = try service.make(
            "/v1/notes", "{\"book\":\"\(story.book)\",\"club\":\"\(other)\",\"body\":\"there\"}", token: story.ben)
        let start = try service.head(token: story.ada)
        #expect(try leave(story, "?notes=delete").status == 204)
        #expect(try service.events(after: start, token: story.ada) == ["note deleted", "member deleted"])
        #expect(try get(story, note, story.ada).status == 404 && get(story, note, story.ben).status == 404)
        #expect(try get(story, reply, story.ada).status == 200)
        for note in [own, there] { #expect(try get(story, note, story.ben).status == 200) }
    }

    @Test("A member who leaves and deletes their notes receives no change of the notes they replied to")
    func roots() throws {
        let story = try ClubStory()
        let service = story.service
        let root = try service.make(
            "/v1/notes",
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"position\":{\"progress\":0},\"body\":\"one\"}",
            token: story.ada)
        _ = try service.make("/v1/notes", "{\"replyTo\":\"\(root)\",\"body\":\"two\"}", token: story.ben)
        #expect(try get(story, root, story.ada)["replyCount"]?.integer == 1)
        let path = "/v1/clubs/\(story.club)/notes"
        let (bens, adas) = (
            try Watcher(service, path, token: story.ben), try Watcher(service, path, token: story.ada)
        )
        for watcher in [bens, adas] { try #require(watcher.wait(count: 1)) }
        #expect(try leave(story, "?notes=delete").status == 204)
        try #require(bens.wait { $0.isEnded } && adas.wait(count: 3))
        #expect(bens.names == ["snapshot", "leave", "leave"])
        #expect(bens.events[2].data.contains("\"resource\":\"member\""))
        #expect(adas.names == ["snapshot", "leave", "updated"])
        #expect(try get(story, root, story.ada)["replyCount"]?.integer == 0)
    }

    @Test(
        "A removed or former member decides about their notes later; nobody decides for others, and other readers get a 404"
    )
    func afterwards() throws {
        let story = try ClubStory()
        let service = story.service
        let (one, cem) = (try note(story, "one"), try service.reader("Cem"))
        let path = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try service.send("DELETE", "\(path)?notes=delete", token: story.ada).status == 400)
        #expect(try service.send("DELETE", "\(path)?notes=all", token: story.ben).status == 400)
        try story.remove(story.ben)
        #expect(try own(story) == [one] && leave(story).status == 404)
        #expect(try leave(story, "?notes=keep").status == 204)
        #expect(try get(story, one, story.ada)["authorName"]?.string == "Ben")
        for _ in 0..<2 {
            #expect(try leave(story, "?notes=nameless").status == 204)
            #expect(try get(story, one, story.ada)["author"]?.string == Self.nobody)
        }
        #expect(try leave(story, "?notes=delete").status == 204)
        #expect(try own(story).isEmpty)
        let cems = try service.send("GET", "/v1/me", token: cem)["id"]?.string ?? ""
        let nowhere = "/v1/clubs/\(story.book)/members/\(cems)?notes=delete"
        let here = "/v1/clubs/\(story.club)/members/\(cems)?notes=delete"
        let (none, some) = (
            try service.send("DELETE", nowhere, token: cem), try service.send("DELETE", here, token: cem)
        )
        #expect(some.status == 404 && some.given == none.given.replacing(story.book, with: story.club))
    }

    @Test(
        "Notes show their author's name in the club, with an event when it changes, until the author leaves"
    )
    func names() throws {
        let story = try ClubStory()
        let service = story.service
        let note = try note(story, "one")
        let own = try service.make("/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"mine\"}", token: story.ben)
        #expect(try get(story, own, story.ben)["authorName"] == nil)
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ada)
        #expect(list.wait(count: 1))
        func rename(_ name: String) throws {
            #expect(try service.send("PATCH", "/v1/me", "{\"name\":\"\(name)\"}", token: story.ben).status == 200)
        }
        let start = try service.head(token: story.ada)
        try rename("Benno")
        #expect(try service.events(after: start, token: story.ada) == ["member updated", "note updated"])
        let seen = try get(story, note, story.ada)
        #expect(seen["authorName"]?.string == "Benno")
        #expect(list.wait(count: 2) && received(list, note) == seen.text)
        #expect(try leave(story).status == 204)
        try rename("Somebody else")
        #expect(try get(story, note, story.ada).text == seen.text)
        try story.join(story.ben)
        #expect(try get(story, note, story.ada)["authorName"]?.string == "Somebody else")
        let again = try get(story, note, story.ada)
        #expect(list.wait(count: 3) && received(list, note) == again.text)
    }

    @Test(
        "A note with only a quotation can be nameless, and an entry no longer shows its note when the note is deleted"
    )
    func others() throws {
        let story = try ClubStory()
        let service = story.service
        let entry = try story.noted("{\"body\":\"mine\",\"club\":\"\(story.club)\",\"threshold\":\"everyone\"}")
        let (path, noted) = ("\(story.entries)/\(entry["id"]?.string ?? "")", entry["noteId"]?.string ?? "")
        let body =
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"position\":{\"progress\":0},\"quote\":\"a line\"}"
        let cited = try service.make("/v1/notes", body, token: story.ben)
        #expect(try leave(story, "?notes=nameless").status == 204)
        for note in [noted, cited] {
            let seen = try get(story, note, story.ada)
            #expect(seen["author"]?.string == Self.nobody && seen["authorName"] == nil, "\(seen.text)")
        }
        #expect(try service.send("GET", path, token: story.ben)["noteId"]?.string == noted)
        #expect(try leave(story, "?notes=delete").status == 204)
        for note in [noted, cited] { #expect(try get(story, note, story.ada).status == 404) }
        let bare = try service.send("GET", path, token: story.ben)
        #expect(bare.status == 200 && bare["note"]?.isNull == true && bare["noteId"] == nil, "\(bare.text)")
    }

    @Test("Decisions about many notes are completed soon, also after a restart")
    func many() throws {
        let story = try ClubStory()
        let service = story.service
        for number in 0..<250 { _ = try note(story, "note \(number)") }
        #expect(try leave(story, "?notes=nameless").status == 204)
        try service.restart()
        let isDone = try eventually {
            try (0..<3).allSatisfy { _ in
                var (path, isNamed) = ("/v1/clubs/\(story.club)/notes?limit=100", false)
                while true {
                    let page = try service.send("GET", path, token: story.ada)
                    isNamed = isNamed || page.text.contains(story.benID) || page.text.contains("authorName")
                    guard let next = page["next"]?.string else { return !isNamed }
                    path = "/v1/clubs/\(story.club)/notes?limit=100&cursor=\(next)"
                }
            }
        }
        #expect(isDone)
        #expect(try leave(story, "?notes=delete").status == 204)
        #expect(try eventually { try own(story).isEmpty })
        try story.join(story.ben)
        let late = try note(story, "since")
        #expect(try own(story) == [late])
    }
}
