import API
import Foundation
import JSON
import SharedByTests
import Testing

@Suite("Texts of entries and notes", .serialized, .ownThreads)
struct EntryTextTests {
    @Test("A note is created once from an entry's text, and the text then belongs to the note")
    func ofText() throws {
        let story = try ClubStory()
        let id = try story.noted("\"hm\"")["id"]?.string ?? ""
        let entry = "\(story.entries)/\(id)"
        func note(_ members: String, by token: String? = nil) throws -> Answer {
            let body = "{\"entry\":\"\(id)\"\(members)}"
            return try story.service.send("POST", "/v1/notes", body, token: token ?? story.ben)
        }
        let watcher = try Watcher(story.service, entry, token: story.ben)
        #expect(watcher.wait(count: 1))
        let start = try story.service.head(token: story.ben)
        let members = ",\"club\":\"\(story.club)\",\"kind\":\"prediction\""
        let made = try note(members)
        #expect(made.status == 201 && made["body"]?.string == "hm" && made["progress"]?.double == 0.4, "\(made.text)")
        #expect(made["share"]?.double == 0.45 && made["kind"]?.string == "prediction")
        let path = made.fields["location"] ?? ""
        #expect(path == "/v1/notes/\(made["id"]?.string ?? "-")")
        #expect(try story.service.events(after: start, token: story.ben) == ["note created", "entry updated"])
        let shown = try story.service.send("GET", entry, token: story.ben)
        #expect(shown["note"]?.string == "hm" && shown["noteId"]?.string == made["id"]?.string)
        #expect(watcher.wait(count: 2) && watcher.events.last?.data.contains(#""changed":["noteId"]"#) == true)
        let again = try note(members)
        #expect(again.status == 409 && again["type"]?.string == "/problems/entry-noted", "\(again.text)")
        #expect(try story.service.send("DELETE", path, token: story.ben).status == 204)
        #expect(try story.service.send("GET", entry, token: story.ben)["note"]?.isNull == true)
        let nothing = try note("")
        #expect(nothing.status == 422 && nothing.pointers == ["/body"], "\(nothing.text)")
        for member in ["replyTo", "book", "about"] {
            let wrong = try note(",\"\(member)\":\"\(story.book)\"")
            #expect(wrong.status == 422 && wrong.pointers.contains(member == "replyTo" ? "/entry" : "/\(member)"))
        }
        let other = try note(#","quote":"ab""#)
        #expect(other.status == 201 && other["body"]?.string == "" && other["quote"]?.string == "ab")
        #expect(try story.service.send("GET", entry, token: story.ben)["note"]?.string == "ab")
        let foreign = try note("", by: story.ada)
        #expect(foreign.status == 422 && foreign.pointers == ["/entry"], "\(foreign.text)")
        let none = try story.service.send(
            "POST", "/v1/notes", "{\"entry\":\"\(OwnIDTests.id)\"}", token: story.ada)
        #expect(none.given == foreign.given)
    }

    @Test("A note with a client's id for an entry is created once, however often it is sent")
    func ownID() throws {
        let story = try ClubStory()
        let entry = try story.noted("\"hm\"")["id"]?.string ?? ""
        for (status, unchanged) in [(201, nil), (200, "true")] {
            let put = try story.service.send(
                "PUT", "/v1/notes/\(OwnIDTests.id)", "{\"entry\":\"\(entry)\"}", token: story.ben)
            #expect(put.status == status && put["body"]?.string == "hm", "\(put.text)")
            #expect(put.fields["lectern-unchanged"] == unchanged)
        }
    }

    @Test("An entry's note may be for the moderators of its club")
    func confided() throws {
        let story = try ClubStory()
        let cleo = try story.service.reader("Cleo")
        try story.join(cleo)
        let club = "\"club\":\"\(story.club)\",\"threshold\":\"everyone\""
        let made = try story.noted("{\"body\":\"hm\",\"audience\":\"moderators\",\(club)}")
        let note = "/v1/notes/\(made["noteId"]?.string ?? "")"
        let seen = try [story.ada, story.ben, cleo].map { try story.service.send("GET", note, token: $0).status }
        #expect(seen == [200, 200, 404], "\(made.text)")
        let alone = try story.noted(#"{"body":"hm","audience":"moderators"}"#)
        #expect(alone.status == 422 && alone.pointers == ["/note/club"], "\(alone.text)")
    }

    @Test("A quotation needs no text, and a note has at least one of them")
    func quotes() throws {
        let story = try ClubStory()
        func send(_ method: String, _ path: String, _ body: String) throws -> Answer {
            try story.service.send(method, path, body, token: story.ben)
        }
        let made = try send("POST", "/v1/notes", "{\"book\":\"\(story.book)\",\"quote\":\"a\\nb\",\"kind\":null}")
        #expect(made.status == 201 && made["body"]?.string == "" && !made.text.contains("kind"), "\(made.text)")
        let note = made.fields["location"] ?? ""
        #expect(try send("PATCH", note, #"{"quote":null}"#).pointers == ["/body"])
        #expect(try send("PATCH", note, #"{"quote":null,"body":"mine"}"#)["body"]?.string == "mine")
        #expect(try send("PATCH", note, #"{"body":null}"#).pointers == ["/body"])
        #expect(try send("PATCH", note, #"{"body":null,"quote":"yours"}"#)["quote"]?.string == "yours")
        let same = try send("PATCH", note, #"{"quote":"yours"}"#)
        #expect(same.fields["lectern-unchanged"] == "true")
        let reply = try send(
            "POST", "/v1/notes", "{\"replyTo\":\"\(made["id"]?.string ?? "")\",\"kind\":\"question\",\"quote\":\"so?\"}"
        )
        #expect(reply.status == 201 && reply["kind"]?.string == "question", "\(reply.text)")
    }

    @Test("A list of notes of one kind contains only these, and gets events when a note becomes or ceases to be one")
    func kinds() throws {
        let story = try ClubStory()
        let path = "/v1/clubs/\(story.club)/notes?kind=question"
        let watcher = try Watcher(story.service, path, token: story.ada)
        #expect(watcher.wait(count: 1))
        func make(_ kind: String) throws -> String {
            let note = "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"body\":\"b\",\"kind\":\(kind)}"
            return try story.service.make("/v1/notes", note, token: story.ada)
        }
        let (plain, asked) = (try make("null"), try make("\"question\""))
        func listed(_ path: String) throws -> [String] {
            try story.service.send("GET", path, token: story.ada)["items"]?.elements.compactMap { $0["id"]?.string }
                ?? []
        }
        #expect(try listed(path) == [asked] && listed("/v1/notes?kind=question") == [asked])
        #expect(try listed("/v1/notes?kind=quote") == [] && listed("/v1/notes?q=b&kind=question") == [asked])
        for (note, kind) in [(plain, "\"question\""), (asked, "null")] {
            let body = "{\"kind\":\(kind)}"
            #expect(try story.service.send("PATCH", "/v1/notes/\(note)", body, token: story.ada).status == 200)
        }
        #expect(try listed(path) == [plain])
        #expect(watcher.wait(count: 4) && watcher.names == ["snapshot", "enter", "enter", "leave"])
        #expect(try story.service.send("GET", "/v1/notes?kind=rant", token: story.ada).status == 400)
    }

    @Test("An invalid note of an entry is refused with its pointer, and neither is created")
    func wrong() throws {
        let story = try ClubStory()
        let start = try story.service.head(token: story.ben)
        let rows = [
            (#"{}"#, ["/note/body"]), (#"{"body":""}"#, ["/note/body"]), (#"{"quote":null}"#, ["/note/body"]),
            (#"{"body":"x","kind":"rant"}"#, ["/note/kind"]), (#"{"body":"x","language":"?"}"#, ["/note/language"]),
            (#"{"body":"x","progress":0.3,"page":1}"#, ["/note/progress", "/note/page"]),
            ("{\"body\":\"x\",\"club\":\"\(story.book)\"}", ["/note/club"]), ("7", ["/note"]), ("[]", ["/note"]),
        ]
        for (note, pointers) in rows {
            let answer = try story.noted(note)
            #expect(answer.status == 422 && answer.pointers == pointers, "\(note): \(answer.text)")
        }
        #expect(try story.service.events(after: start, token: story.ben) == [])
    }

    @Test("A repeated PUT, a repeated POST and a batch create one note")
    func once() throws {
        let story = try ClubStory()
        let body = "{\"progress\":0.4,\"note\":\(EntryNoteTests.cited)}"
        let path = "\(story.entries)/\(OwnIDTests.id)"
        for status in [201, 200] {
            let put = try story.service.send("PUT", path, body, token: story.ben)
            #expect(put.status == status && put["noteId"] != nil, "\(put.text)")
        }
        for _ in 0..<2 {
            let key = ["Idempotency-Key: k"]
            #expect(try story.service.send("POST", story.entries, body, token: story.ben, fields: key).status == 201)
        }
        let line = "{\"method\":\"POST\",\"path\":\"\(story.entries)\",\"body\":\(body)}"
        let undo = "{\"method\":\"DELETE\",\"path\":\"\(path)?note=keep\"}"
        let batch = try story.service.send(
            "POST", "/v1/batch", "{\"atomic\":true,\"requests\":[\(line),\(undo)]}", token: story.ben)
        #expect(batch.status == 200, "\(batch.text)")
        let notes = try story.service.send("GET", "/v1/notes", token: story.ben)
        #expect(notes["items"]?.elements.map { $0["id"]?.string }.count == 3)
        let refused = "{\"method\":\"POST\",\"path\":\"\(story.entries)\",\"body\":{}}"
        let none = try story.service.send(
            "POST", "/v1/batch", "{\"atomic\":true,\"requests\":[\(line),\(refused)]}", token: story.ben)
        #expect(none.status == 422, "\(none.text)")
        let left = try story.service.send("GET", "/v1/notes", token: story.ben)
        #expect(left["items"]?.elements.map { $0["id"]?.string }.count == 3)
    }

    @Test("CSV exports have a note's text, kind, quotation and language in a line of its own")
    func tables() throws {
        let story = try ClubStory()
        #expect(try story.noted(EntryNoteTests.cited).status == 201 && story.noted("\"hm\"").status == 201)
        let csv = try story.service.send("GET", "/v1/me/export?format=csv", token: story.ben).text
        #expect(
            csv.contains("\"Gone.\",quote,\"Macondo era ya\",es,\r\n")
                || csv.contains("Gone.,quote,\"Macondo era ya\",es,\r\n"), "\(csv)")
        #expect(csv.components(separatedBy: "Gone.").count == 2 && csv.contains(",hm,,,,\r\n"), "\(csv)")
        let text = try story.service.send("GET", "/v1/me/export?format=markdown", token: story.ben).text
        #expect(text.contains(", quote:\n\n> > Macondo era ya\n\n\n> Gone.\n"), "\(text)")
        #expect(text.components(separatedBy: "Gone.").count == 2, "\(text)")
    }
}
