import Foundation
import JSON
import SharedByTests
import Testing

@testable import API
@testable import Store

/// Ben on one server, with notes of every audience in a club, and Eve on another, in a club with the same id.
private struct AccountStory {
    let from: ClubStory
    let guarded: String
    let notes: [String]
    let to: TestService
    let eve: String
    let ann: String

    init() throws {
        from = try ClubStory()
        let (ben, inClub) = (from.ben, "\"book\":\"\(from.book)\",\"club\":\"\(from.club)\"")
        _ = try from.read("0.4")
        let adas = try from.note("0.1")
        let path = "/v1/notes"
        guarded = try from.service.make(
            path, "{\(inClub),\"position\":{\"progress\":0.3},\"threshold\":\"finished\",\"body\":\"guarded\"}",
            token: ben)
        notes = [
            guarded,
            try from.service.make(path, "{\(inClub),\"threshold\":\"everyone\",\"body\":\"open\"}", token: ben),
            try from.service.make(path, "{\(inClub),\"audience\":\"moderators\",\"body\":\"confided\"}", token: ben),
            try from.service.make(path, "{\"replyTo\":\"\(adas)\",\"body\":\"answer\"}", token: ben),
            try from.service.make(path, "{\"book\":\"\(from.book)\",\"body\":\"private\"}", token: ben),
        ]
        let rating = "{\"stars\":4.5,\"noteId\":\"\(guarded)\"}"
        #expect(try from.service.send("PUT", "/v1/readings/\(from.reading)/rating", rating, token: ben).status == 201)
        let shelf = "/v1/shelves/\(OwnIDTests.id)"
        let put = try from.service.send("PUT", shelf, "{\"name\":\"Sea\",\"club\":\"\(from.club)\"}", token: ben)
        #expect(put.status == 201)
        _ = try from.service.send("PUT", "\(shelf)/books/\(from.book)", "{}", token: ben)
        _ = try from.service.send("PUT", "/v1/notes/\(adas)/reactions/love", token: ben)
        _ = try from.service.send(
            "PATCH", "/v1/settings", "{\"presence\":true,\"timeZone\":\"Asia/Tokyo\"}", token: ben)
        to = try TestService()
        (eve, ann) = (try to.reader("Eve"), try to.reader("Ann"))
        let club = "/v1/clubs/\(from.club)"
        #expect(try to.send("PUT", club, "{\"name\":\"Fridays\"}", token: ann).status == 201)
        let code = try to.send("POST", "\(club)/invitations", "{}", token: ann)["code"]?.string ?? ""
        _ = try to.make("/v1/memberships", "{\"invitation\":\"\(code)\"}", token: eve)
    }

    /// Returns the records of Ben's account.
    func lines() throws -> [String] {
        Array(try from.service.lines("/v1/me/export", token: from.ben).dropFirst().dropLast())
    }

    func bring(_ lines: [String], replacing: Bool = false) throws -> Answer {
        let account = "\"account\":\"\(from.benID)\",\"replace\":\(replacing),"
        return try to.bring(lines, "/v1/me/import", more: account, token: eve)
    }

    /// Returns the notes and shelves of the club that are visible to Ann.
    func seen() throws -> [String] {
        try ["notes", "shelves"].flatMap { list in
            try to.send("GET", "/v1/clubs/\(from.club)/\(list)?limit=100", token: ann)["items"]?.elements
                .compactMap { $0["id"]?.string } ?? []
        }
    }
}

@Suite("The transfer of an account", .serialized, .ownThreads)
struct AccountTransferTests {
    private func count(_ answer: Answer, _ member: String) -> Int64 { answer[member]?.integer ?? -1 }

    private func refused(_ answer: Answer) -> [JSONValue] { answer["refused"].map { Array($0.elements) } ?? [] }

    @Test("An exported account has its reader's own data, and nothing of clubs or other readers")
    func own() throws {
        let story = try AccountStory()
        let lines = try story.lines()
        let kinds = try Set(lines.map { try JSONDocument(Array($0.utf8)).root["kind"]?.string })
        #expect(kinds == ["reader", "book", "reading", "entry", "note", "rating", "shelf", "shelfBook", "settings"])
        let ada = try story.from.service.send("GET", "/v1/me", token: story.from.ada)["id"]?.string ?? ""
        for word in [
            story.from.club, ada, "audience", "thread", "opensAt", "\"share\"", "scale", "authorName", "presence",
            "\"number\"",
        ] {
            #expect(!lines.contains { $0.contains(word) }, "\(word)")
        }
        #expect(story.notes.allSatisfy { note in lines.contains { $0.contains(note) } })
    }

    @Test("An import takes the deepest scene that a request can store, and more values than a request may have")
    func largeScenes() throws {
        let story = try AccountStory()
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let wide = "[" + [String](repeating: "0", count: 8000).joined(separator: ",") + "]"
        for (name, value, status) in [("deepest", nested(63), 201), ("deeper", nested(64), 400)] {
            let body = "{\"value\":\(value)}"
            let answer = try story.from.service.send("PUT", "/v1/scenes/phone/\(name)", body, token: story.from.ben)
            #expect(answer.status == status, "\(answer.text)")
        }
        for number in 0..<20 {
            let path = "/v1/scenes/phone/wide\(number)"
            let answer = try story.from.service.send("PUT", path, "{\"value\":\(wide)}", token: story.from.ben)
            #expect(answer.status == 201, "\(answer.text)")
        }
        let lines = try story.lines()
        let deeper = lines.map { $0.replacing(nested(63), with: nested(64)) }
        #expect(try story.bring(deeper)["type"]?.string == "/problems/malformed-json")
        let first = try story.bring(lines)
        #expect(first.status == 200 && refused(first).isEmpty, "\(first.text.prefix(300))")
        let scenes = try story.to.lines("/v1/me/export", token: story.eve).filter { $0.contains("\"kind\":\"scene\"") }
        #expect(scenes.count == 21)
    }

    @Test("An exported account has no line for settings and shelves that differ only in what stays on the server")
    func initial() throws {
        let story = try AccountStory()
        let (service, ada) = (story.from.service, story.from.ada)
        #expect(try service.send("PATCH", "/v1/settings", #"{"presence":true}"#, token: ada).status == 200)
        let shelf = try service.send("GET", "/v1/shelves", token: ada)["items"]?.elements.first { _ in true }?["id"]
        let patch = #"{"club":"\#(story.from.club)"}"#
        #expect(try service.send("PATCH", "/v1/shelves/\(shelf?.string ?? "")", patch, token: ada).status == 200)
        let lines = try service.lines("/v1/me/export", token: ada)
        #expect(!lines.contains { $0.contains(#""kind":"settings""#) || $0.contains(#""kind":"shelf""#) })
    }

    @Test(
        "An imported account's notes are private, once, also where a club has the same id; when shared, they get a threshold there"
    )
    func twice() throws {
        let story = try AccountStory()
        let lines = try story.lines()
        let first = try story.bring(lines)
        #expect(refused(first).isEmpty && count(first, "created") > 5, "\(first.text)")
        #expect(try story.seen() == [])
        let whole = try story.to.lines("/v1/admin/export")
        let head = try story.to.head(token: story.eve)
        for replacing in [false, true] {
            let again = try story.bring(lines, replacing: replacing)
            #expect(count(again, "unchanged") == Int64(lines.count), "\(again.text)")
        }
        #expect(try story.to.lines("/v1/admin/export") == whole && story.to.head(token: story.eve) == head)
        for note in story.notes {
            let own = try story.to.send("GET", "/v1/notes/\(note)", token: story.eve)
            #expect(own.status == 200 && own["club"]?.isNull == true && own["thread"]?.isNull == true, "\(own.text)")
            #expect(try story.to.send("GET", "/v1/notes/\(note)", token: story.ann).status == 404)
        }
        #expect(try story.to.send("GET", "/v1/settings", token: story.eve)["presence"]?.bool == false)
        let share = try story.to.send(
            "PATCH", "/v1/notes/\(story.guarded)", "{\"club\":\"\(story.from.club)\"}", token: story.eve)
        #expect(share.status == 200, "\(share.text)")
        #expect(try story.seen() == [])
        let reading = try story.to.make("/v1/readings", "{\"book\":\"\(story.from.book)\"}", token: story.ann)
        for (progress, seen) in [("0.2", []), ("0.5", [story.guarded])] {
            _ = try story.to.make("/v1/readings/\(reading)/entries", "{\"progress\":\(progress)}", token: story.ann)
            #expect(try story.seen() == seen)
        }
        // The note belongs to the club now: importing the file again changes nothing, whatever it contains.
        let other = lines.map { $0.replacing("\"body\":\"guarded\"", with: "\"body\":\"other\"") }
        #expect(try count(story.bring(other, replacing: true), "unchanged") == Int64(lines.count))
        #expect(try story.to.send("GET", "/v1/notes/\(story.guarded)", token: story.ann)["body"]?.string == "guarded")
    }

    @Test(
        "An import into the exporting server changes nothing for others, and another reader's import gets nothing of it"
    )
    func back() throws {
        let story = try AccountStory()
        let (service, lines) = (story.from.service, try story.lines())
        let whole = try service.lines("/v1/admin/export")
        let account = "\"account\":\"\(story.from.benID)\",\"replace\":true,"
        func bring(_ lines: [String], _ token: String) throws -> Answer {
            try service.bring(lines, "/v1/me/import", more: account, token: token)
        }
        let other = lines.map {
            $0.replacing("\"body\":\"open\"", with: "\"body\":\"other\"").replacing("\"Sea\"", with: "\"Other\"")
        }
        for lines in [lines, other] {
            #expect(try count(bring(lines, story.from.ben), "unchanged") == Int64(lines.count))
        }
        #expect(try service.lines("/v1/admin/export") == whole)
        let book = try service.make("/v1/books", "{\"title\":\"Dawn\"}")
        let shelfBook = lines.filter { $0.contains("\"shelfBook\"") }.map {
            $0.replacing(story.from.book, with: book).replacing(/"id":"[^"]*"/, with: "\"id\":\"\(OwnIDTests.id)\"")
        }
        let added = try bring(shelfBook, story.from.ben)
        #expect(refused(added).count == 1 && added.text.contains("shared with a club"), "\(added.text)")
        let bens = try service.lines("/v1/me/export", token: story.from.ben)
        let seen = try story.from.seen()
        let cleo = try service.reader("Cleo")
        try story.from.join(cleo)
        let taken = try bring(lines, cleo)
        #expect(count(taken, "created") == 0, "\(taken.text)")
        #expect(refused(taken).contains { $0["problem"]?["type"]?.string == "/problems/id-taken" })
        #expect(try service.lines("/v1/me/export", token: story.from.ben) == bens && story.from.seen() == seen)
    }

    @Test("An import does not reveal whether another reader has knowledge, a scene or a rating under a known id")
    func derived() throws {
        let story = try ClubStory()
        let given = [
            "/v1/books/\(story.book)/knowledge": "{}", "/v1/scenes/phone/draft": "{\"value\":1}",
            "/v1/readings/\(story.reading)/rating": "{\"stars\":4}",
        ]
        for (path, body) in given {
            #expect(try story.service.send("PUT", path, body, token: story.ben).status == 201)
        }
        let lines = try story.service.lines("/v1/me/export", token: story.ben).filter { line in
            ["knowledge", "scene", "rating"].contains { line.hasPrefix("{\"kind\":\"\($0)\"") }
        }
        var answers: [String] = []
        for name in ["Cleo", "Dora"] {
            let token = try story.service.reader(name)
            let more = "\"account\":\"\(story.benID)\","
            answers.append(try story.service.bring(lines, "/v1/me/import", more: more, token: token).text)
            for path in given.keys { _ = try story.service.send("DELETE", path, token: story.ben) }
        }
        #expect(lines.count == 3 && answers[0] == answers[1] && answers[1].contains("\"created\":2"), "\(answers)")
    }

    @Test(
        "The settings and the first shelf, which exist from the start, get the time of their creation from their lines")
    func creation() throws {
        let story = try AccountStory()
        let (ben, service) = (story.from.ben, story.from.service)
        let patch = #"{"name":"Soon"}"#
        #expect(try service.send("PATCH", "/v1/shelves/\(story.from.benID)", patch, token: ben).status == 200)
        let time = "2020-01-02T03:04:05.678Z"
        let lines = try story.lines().filter { $0.contains(#""kind":"settings""#) || $0.contains("Soon") }.map {
            $0.replacing(/"createdAt":"[^"]*"/, with: "\"createdAt\":\"\(time)\"")
        }
        #expect(try lines.count == 2 && count(story.bring(lines), "updated") == 2)
        let me = try story.to.send("GET", "/v1/me", token: story.eve)["id"]?.string ?? ""
        for path in ["/v1/settings", "/v1/shelves/\(me)"] {
            #expect(try story.to.send("GET", path, token: story.eve)["createdAt"]?.string == time)
        }
        #expect(try count(story.bring(lines, replacing: true), "unchanged") == 2)
    }

    @Test("A nameless note is in no account in any form, and is exported without an author")
    func nameless() throws {
        let story = try AccountStory()
        let service = story.from.service
        let path = "/v1/clubs/\(story.from.club)/members/\(story.from.benID)?notes=nameless"
        #expect(try service.send("DELETE", path, token: story.from.ben).status == 204)
        for query in ["", "?format=csv", "?format=markdown"] {
            let text = try service.send("GET", "/v1/me/export\(query)", token: story.from.ben).text
            #expect(text.contains("private") && !text.contains("guarded") && !text.contains("confided"), "\(text)")
        }
        let lines = try story.lines()
        #expect(!lines.contains { $0.contains(story.guarded) } && lines.contains { $0.contains("\"stars\":4.5") })
        #expect(try refused(story.bring(lines)).isEmpty)
        #expect(try count(story.bring(lines, replacing: true), "unchanged") == Int64(lines.count))
        #expect(try story.to.send("GET", "/v1/notes/\(story.guarded)", token: story.eve).status == 404)
        #expect(try service.bring(lines, more: "\"account\":\"\(story.from.benID)\",")["created"]?.integer == 0)
        let note = try service.send("GET", "/v1/notes/\(story.notes[1])", token: story.from.ada)
        #expect(note["author"]?.string == "00000000-0000-0000-0000-000000000000", "\(note.text)")
    }

    @Test("Lines that name clubs, audiences, thresholds or other readers are refused without revealing anything")
    func tampered() throws {
        let story = try AccountStory()
        let lines = try story.lines()
        let ann = try story.to.send("GET", "/v1/me", token: story.ann)["id"]?.string ?? ""
        _ = try story.bring(lines.filter { $0.contains("\"kind\":\"book\"") })
        let reading = try story.to.make("/v1/readings", "{\"book\":\"\(story.from.book)\"}", token: story.ann)
        let anns = try story.to.make("/v1/readings/\(reading)/entries", "{\"progress\":1}", token: story.ann)
        let whole = try story.to.lines("/v1/admin/export")
        func changed(_ kind: String, _ change: (String) -> String) -> String {
            lines.first { $0.contains("\"kind\":\"\(kind)\"") }.map(change) ?? ""
        }
        func added(_ kind: String, _ member: String) -> String {
            changed(kind) { $0.replacing("{\"kind\":\"\(kind)\"", with: "{\"kind\":\"\(kind)\",\(member)") }
        }
        let club = "\"club\":\"\(story.from.club)\""
        let tampered =
            [
                club, "\"audience\":\"club\"", "\"thread\":\"\(story.guarded)\"", "\"about\":\"\(story.guarded)\"",
                "\"run\":\"\(story.guarded)\"", "\"threshold\":\"everyone\"", "\"share\":0",
                "\"opensAt\":{\"progress\":0.1}", "\"scale\":\"progress\",\"at\":1",
                "\"authorName\":\"Ann\"", "\"writtenBy\":\"\(ann)\"", "\"answers\":\"\(story.guarded)\"",
                "\"entry\":\"\(anns)\"",
            ].map { added("note", $0) } + [
                changed("note") { $0.replacing(story.from.benID, with: ann) },
                changed("note") { $0.replacing(story.from.benID, with: "00000000-0000-0000-0000-000000000000") },
                changed("reading") { $0.replacing(story.from.benID, with: ann) },
                changed("entry") { $0.replacing(story.from.reading, with: reading) },
                added("entry", "\"scale\":\"progress\",\"amount\":1000000"),
                added("shelf", club), added("settings", "\"presence\":true"),
                added("reader", "\"role\":\"administrator\""),
                changed("reader") { $0.replacing(story.from.benID, with: ann) },
                "{\"kind\":\"reaction\",\"note\":\"\(story.guarded)\",\"reader\":\"\(story.from.benID)\",\"reaction\":\"love\"}",
                "{\"kind\":\"member\",\(club),\"reader\":\"\(story.from.benID)\",\"role\":\"owner\"}",
            ]
        for line in tampered {
            for replacing in [false, true] {
                let answer = try story.bring([line], replacing: replacing)
                #expect(!line.isEmpty && refused(answer).count == 1, "\(line): \(answer.text)")
            }
        }
        #expect(try story.seen() == [] && story.to.lines("/v1/admin/export") == whole)
    }
}
