import API
import Foundation
import JSON
import SharedByTests
import Testing

extension ClubStory {
    var entries: String { "/v1/readings/\(reading)/entries" }

    /// Creates Ben's entry with a note, whose members are given.
    func noted(_ note: String, at place: String = "\"progress\":0.4") throws -> Answer {
        try service.send("POST", entries, "{\(place),\"note\":\(note)}", token: ben)
    }

    fileprivate func noteID(_ note: String, at place: String = "\"progress\":0.4") throws -> (
        entry: String, note: String
    ) {
        let answer = try noted(note, at: place)
        #expect(answer.status == 201, "\(answer.text)")
        return ("\(entries)/\(answer["id"]?.string ?? "")", "/v1/notes/\(answer["noteId"]?.string ?? "")")
    }

    fileprivate func get(_ path: String) throws -> Answer { try service.send("GET", path, token: ben) }

    fileprivate func patch(_ path: String, _ body: String, token: String? = nil) throws -> Answer {
        try service.send("PATCH", path, body, token: token ?? ben)
    }

    fileprivate func isListed(_ note: String, at path: String, token: String? = nil) throws -> Bool {
        let list = try service.send("GET", path, token: token ?? ben)
        return list["items"]?.elements.contains { note.hasSuffix($0["id"]?.string ?? "-") } ?? false
    }
}

@Suite("Notes of entries", .serialized, .ownThreads)
struct EntryNoteTests {
    static let cited = #"{"body":"Gone.","kind":"quote","quote":"Macondo era ya","language":"es"}"#

    @Test("An entry and its note are created together, at one position, and the note is an ordinary private one")
    func made() throws {
        let story = try ClubStory()
        let start = try story.service.head(token: story.ben)
        let (entry, note) = try story.noteID(Self.cited, at: "\"page\":43,\"device\":\"phone\"")
        #expect(
            try story.service.events(after: start, token: story.ben) == [
                "entry created", "reading updated", "note created",
            ])
        let page = try story.service.send("GET", "/v1/changes?after=\(start)", token: story.ben)
        let transactions = page["items"]?.elements.compactMap { $0["transaction"]?.integer } ?? []
        #expect(transactions.count == 3 && Set(transactions).count == 1)
        #expect(try story.get(entry)["note"]?.string == "Gone.")
        let shown = try story.get(note)
        let given = ["book": story.book, "kind": "quote", "quote": "Macondo era ya", "language": "es", "body": "Gone."]
        for (member, value) in given { #expect(shown[member]?.string == value, "\(shown.text)") }
        #expect(
            shown["club"]?.isNull == true && shown["position"]?["page"]?.integer == 43
                && shown["progress"]?.double == 0.43)
        #expect(shown["threshold"]?.string == "position" && shown["share"]?.double == 0.43)
        #expect(try story.isListed(note, at: "/v1/notes") && story.isListed(note, at: "/v1/notes?q=macondo"))
        #expect(try !story.isListed(note, at: "/v1/notes?q=remedios"))
        #expect(try story.service.send("GET", note, token: story.ada).status == 404)
        #expect(try !story.isListed(note, at: "/v1/clubs/\(story.club)/notes", token: story.ada))
        #expect(try story.service.send("PUT", "\(note)/reactions/love", token: story.ben).status == 200)
    }

    @Test("An entry's text never changes, is visible only to its reader, and is no note")
    func text() throws {
        let story = try ClubStory()
        let start = try story.service.head(token: story.ben)
        let answer = try story.noted("\"hm\"")
        #expect(answer["note"]?.string == "hm" && !answer.text.contains("noteId"), "\(answer.text)")
        #expect(try story.service.events(after: start, token: story.ben) == ["entry created", "reading updated"])
        #expect(try story.get("/v1/notes")["items"]?.elements.isEmpty == true)
    }

    @Test("An entry's note for a club opens at the entry's position, by chapter or otherwise")
    func shared() throws {
        let story = try ClubStory()
        let chapters = #"{"chapters":[{"share":0},{"share":0.5}]}"#
        let put = try story.service.send("PUT", "/v1/books/\(story.book)/chapters", chapters, token: story.ada)
        #expect(put.status == 201, "\(put.text)")
        let own = try story.service.make("/v1/readings", "{\"book\":\"\(story.book)\"}", token: story.ada)
        let club = "\"club\":\"\(story.club)\",\"body\":\"who?\""
        let (_, plain) = try story.noteID("{\(club)}")
        let (_, framed) = try story.noteID("{\(club)}", at: #""position":{"chapter":1,"within":0.5}"#)
        let (_, last) = try story.noteID("{\(club),\"threshold\":\"finished\"}")
        let (_, first) = try story.noteID("{\(club),\"threshold\":\"everyone\"}")
        func seen() throws -> [Bool] {
            try [plain, framed, last, first].map {
                try story.isListed($0, at: "/v1/clubs/\(story.club)/notes", token: story.ada)
            }
        }
        let shown = try story.get(framed)
        #expect(shown["position"]?["chapter"]?.integer == 1 && shown["progress"]?.double == 0.25, "\(shown.text)")
        #expect(try shown["share"]?.double == 0.3 && story.get(plain)["share"]?.double == 0.45)
        #expect(try seen() == [false, false, false, true])
        let start = try story.service.head(token: story.ada)
        _ = try story.service.make("/v1/readings/\(own)/entries", "{\"progress\":0.3}", token: story.ada)
        #expect(try seen() == [false, true, false, true])
        #expect(try story.service.events(after: start, token: story.ada).contains("note unlocked"))
        _ = try story.service.make("/v1/readings/\(own)/entries", "{\"progress\":0.4}", token: story.ada)
        #expect(try seen() == [true, true, false, true])
    }

    @Test("An entry shows its note's current text, and subscribers of the entry or its list get the changes")
    func edited() throws {
        let story = try ClubStory()
        let (entry, note) = try story.noteID(Self.cited)
        let watcher = try Watcher(story.service, entry, token: story.ben)
        let list = try Watcher(story.service, story.entries, token: story.ben)
        #expect(watcher.wait(count: 1) && list.wait(count: 1))
        let before = try story.get(entry)
        var start = try story.service.head(token: story.ben)
        #expect(try story.patch(note, #"{"body":"It is gone."}"#).status == 200)
        #expect(try story.service.events(after: start, token: story.ben) == ["note updated", "entry updated"])
        let after = try story.get(entry)
        #expect(after["note"]?.string == "It is gone." && after.etag != before.etag)
        #expect(watcher.wait(count: 2) && watcher.events.last?.data.contains(#""changed":["note"]"#) == true)
        #expect(list.wait(count: 2) && list.names == ["snapshot", "updated"])
        start = try story.service.head(token: story.ben)
        #expect(try story.patch(note, #"{"kind":"question","language":null}"#).status == 200)
        #expect(try story.service.events(after: start, token: story.ben) == ["note updated"])
        #expect(try !story.get(note).text.contains("language"))
        #expect(try story.service.send("DELETE", note, token: story.ben).status == 204)
        let bare = try story.get(entry)
        #expect(bare["note"]?.isNull == true && !bare.text.contains("noteId"), "\(bare.text)")
        #expect(watcher.wait(count: 3) && watcher.names == ["snapshot", "updated", "updated"])
        let page = try story.get(story.entries)
        #expect(page["items"]?.elements.first { _ in true }?["version"]?.integer == bare["version"]?.integer)
    }

    @Test("An entry loses its note when a moderator deletes it or the club ends")
    func club() throws {
        let story = try ClubStory()
        let (entry, note) = try story.noteID("{\"body\":\"a\",\"club\":\"\(story.club)\",\"threshold\":\"everyone\"}")
        let (other, _) = try story.noteID("{\"body\":\"b\",\"club\":\"\(story.club)\"}")
        #expect(try story.patch(note, #"{"quote":"x"}"#, token: story.ada).status == 403)
        #expect(try story.service.send("DELETE", note, token: story.ada).status == 204)
        #expect(try story.get(entry)["note"]?.isNull == true)
        let start = try story.service.head(token: story.ben)
        #expect(try story.service.send("DELETE", "/v1/clubs/\(story.club)", token: story.ada).status == 204)
        #expect(try story.service.events(after: start, token: story.ben).contains("entry updated"))
        #expect(try story.get(other)["note"]?.isNull == true)
    }

    @Test("A member who leaves and deletes their notes has none in their entries")
    func parted() throws {
        let story = try ClubStory()
        let (entry, note) = try story.noteID("{\"quote\":\"a\",\"club\":\"\(story.club)\",\"threshold\":\"everyone\"}")
        let (own, _) = try story.noteID(Self.cited)
        let path = "/v1/clubs/\(story.club)/members/\(story.benID)?notes=delete"
        #expect(try story.service.send("DELETE", path, token: story.ben).status == 204)
        #expect(try story.get(note).status == 404 && story.get(entry)["note"]?.isNull == true)
        #expect(try story.get(own)["note"]?.string == "Gone.")
    }

    @Test("Deleting an entry deletes its note, unless the request keeps it")
    func undone() throws {
        let story = try ClubStory()
        let (entry, note) = try story.noteID(Self.cited)
        let (second, kept) = try story.noteID(Self.cited)
        var start = try story.service.head(token: story.ben)
        #expect(try story.service.send("DELETE", "\(second)?note=keep", token: story.ben).status == 204)
        #expect(try story.service.events(after: start, token: story.ben) == ["entry deleted", "reading updated"])
        #expect(try story.get(kept).status == 200 && story.patch(kept, #"{"body":"on its own"}"#).status == 200)
        start = try story.service.head(token: story.ben)
        #expect(try story.service.send("DELETE", entry, token: story.ben).status == 204)
        #expect(
            try story.service.events(after: start, token: story.ben) == [
                "entry deleted", "reading updated", "note deleted",
            ])
        #expect(try story.get(note).status == 404)
        #expect(try story.service.send("DELETE", "\(entry)?note=maybe", token: story.ben).status == 400)
    }

    @Test("An invalid note of an entry is refused with the possible forms, and an empty one with what is missing")
    func refusals() throws {
        let story = try ClubStory()
        for given in ["[]", "5", "true"] {
            let answer = try story.noted(given)
            #expect(answer.status == 422 && answer.pointers == ["/note"], "\(answer.text)")
            #expect(answer.text.contains("must be a string, or an object"), "\(answer.text)")
        }
        let answer = try story.noted(#"{"body":null}"#)
        #expect(answer.status == 422 && answer.pointers == ["/note/body"], "\(answer.text)")
        #expect(answer.text.contains("is required without a quote"), "\(answer.text)")
        #expect(try story.noted(#"{"body":null,"quote":"a line"}"#).status == 201)
    }

    @Test("A note outlives its reading")
    func outlives() throws {
        let story = try ClubStory()
        let (_, note) = try story.noteID(Self.cited)
        #expect(try story.service.send("DELETE", "/v1/readings/\(story.reading)", token: story.ben).status == 204)
        #expect(try story.patch(note, #"{"body":"still here"}"#).status == 200)
        #expect(try story.service.send("DELETE", note, token: story.ben).status == 204)
    }
}
