import Foundation
import JSON
import SharedByTests
import Testing

@Suite("Reported content", .serialized, .ownThreads)
struct ReportTests {
    /// Ada's club with Ben, Cem and the moderator Mia. Neither Ada nor Mia has read any of the book.
    private struct Scenario {
        let story: ClubStory
        let cem: String
        let mia: String
        var ids: [String: String] = [:]
        var service: TestService { story.service }

        init() throws {
            story = try ClubStory()
            let service = story.service
            cem = try service.reader("Cem")
            mia = try service.reader("Mia")
            for (name, token) in [("ada", story.ada), ("ben", story.ben), ("cem", cem), ("mia", mia)] {
                ids[name] = try service.send("GET", "/v1/me", token: token)["id"]?.string
            }
            try story.join(cem)
            try story.join(mia)
            let path = "/v1/clubs/\(story.club)/members/\(ids["mia"] ?? "")"
            let answer = try service.send("PATCH", path, #"{"role":"moderator"}"#, token: story.ada)
            #expect(answer.status == 200)
        }

        /// Creates Cem's note.
        func note(_ body: String, at progress: String = "0", by token: String? = nil) throws -> String {
            let json =
                #"{"book":"\#(story.book)","club":"\#(story.club)","position":{"progress":\#(progress)},"body":"\#(body)"}"#
            return try service.make("/v1/notes", json, token: token ?? cem)
        }

        func report(_ about: String, _ subject: String, by token: String, text: String? = nil) throws -> Answer {
            let text = text.map { ",\"text\":\"\($0)\"" } ?? ""
            let body = #"{"about":"\#(about)","subject":"\#(subject)","reason":"harassment"\#(text)}"#
            return try service.send("POST", "/v1/reports", body, token: token)
        }

        func list(_ query: String = "", by token: String?) throws -> [String] {
            let page = try service.send("GET", "/v1/reports\(query)", token: token)
            #expect(page.status == 200, "\(page.text)")
            return page["items"]?.elements.compactMap { $0["id"]?.string } ?? []
        }
    }

    @Test(
        "A report goes to the club's moderators and administrators once, until one closes it, and the reporter gets an event"
    )
    func ofNote() throws {
        let scenario = try Scenario()
        let (service, ben, mia) = (scenario.service, scenario.story.ben, scenario.mia)
        let note = try scenario.note("rude words")
        let watched = try [mia, service.token, ben].map { try Watcher(service, "/v1/reports", token: $0) }
        for watcher in watched { #expect(watcher.wait(count: 1)) }
        let start = try [scenario.cem, scenario.story.ada].map { try service.head(token: $0) }
        let made = try scenario.report("note", note, by: ben, text: "see for yourself")
        #expect(made.status == 201 && made["copy"]?.string == "rude words" && made["outcome"]?.isNull == true)
        #expect(made["author"]?.string == scenario.ids["cem"] && made["club"]?.string == scenario.story.club)
        let id = made["id"]?.string ?? ""
        let again = try scenario.report("note", note, by: ben, text: "again")
        #expect(again.status == 200 && again.fields["lectern-unchanged"] == "true" && again.etag == made.etag)
        for watcher in watched {
            #expect(watcher.wait(count: 2) && watcher.events.last?.data.contains(id) == true)
        }
        for token in [mia, scenario.story.ada, service.token, ben] { #expect(try scenario.list(by: token) == [id]) }
        #expect(try scenario.list(by: scenario.cem) == [])
        #expect(try service.send("GET", "/v1/reports/\(id)", token: scenario.cem).status == 404)
        #expect(try service.events(after: start[0], token: scenario.cem) == [])

        // The report keeps a copy when the note is deleted.
        #expect(try service.send("DELETE", "/v1/notes/\(note)", token: scenario.cem).status == 204)
        let found = try service.send("GET", "/v1/reports/\(id)", token: mia)
        #expect(found["copy"]?.string == "rude words" && found["text"]?.string == "see for yourself")
        let path = "/v1/reports/\(id)"
        let decision = #"{"outcome":"acted","remark":"Thank you."}"#
        #expect(try service.send("PATCH", path, decision, token: ben).status == 403)
        #expect(try service.send("PATCH", path, decision, token: scenario.cem).status == 404)
        #expect(try service.send("PATCH", path, "{}", token: mia).pointers == ["/outcome"])
        let stale = try service.send(
            "PATCH", path, decision, token: mia, fields: ["If-Match: \"00000000-1\""])
        #expect(stale.status == 412 && stale["current"]?["id"]?.string == id)
        let before = try service.head(token: ben)
        let closed = try service.send("PATCH", path, decision, token: mia, fields: ["If-Match: \(found.etag)"])
        #expect(closed.status == 200 && closed["outcome"]?.string == "acted" && closed.etag != found.etag)
        #expect(try service.send("PATCH", path, decision, token: mia).fields["lectern-unchanged"] == "true")
        let other = try service.send("PATCH", path, #"{"outcome":"dismissed"}"#)
        #expect(other.status == 409 && other["type"]?.string == "/problems/report-closed")
        #expect(try service.events(after: before, token: ben) == ["report updated"])
        let received = try service.send("GET", path, token: ben)
        #expect(received["remark"]?.string == "Thank you." && !received.text.contains(scenario.ids["mia"] ?? "?"))
        for watcher in watched { #expect(watcher.wait { $0.events.last?.data.contains("Thank you.") == true }) }
        #expect(try scenario.list("?state=open", by: mia) == [] && scenario.list("?state=closed", by: mia) == [id])
        #expect(try scenario.list("?own=true", by: ben) == [id] && scenario.list("?own=false", by: ben) == [])
        #expect(try service.send("GET", "/v1/reports?state=x", token: ben).status == 400)
    }

    @Test("A report opens no note to a moderator who has not reached it, unless the club allows that")
    func ahead() throws {
        let scenario = try Scenario()
        let (service, mia, ben) = (scenario.service, scenario.mia, scenario.story.ben)
        let note = try scenario.note("the end is a rope", at: "0.9")
        // A reader who cannot see the note cannot report it.
        #expect(try scenario.report("note", note, by: ben).status == 404)
        _ = try scenario.story.read("0.95")
        let id = try scenario.report("note", note, by: ben, text: "a spoiler of the rope")["id"]?.string ?? ""
        let watcher = try Watcher(service, "/v1/reports", token: mia)
        #expect(watcher.wait(count: 1))
        for path in ["/v1/reports", "/v1/reports/\(id)"] {
            let seen = try service.send("GET", path, token: mia)
            #expect(seen.status == 200 && seen.text.contains(note) && !seen.text.contains("rope"), "\(seen.text)")
            #expect(try service.send("GET", path).text.contains("rope"))
        }
        let stale = try service.send(
            "PATCH", "/v1/reports/\(id)", #"{"outcome":"acted"}"#, token: mia, fields: ["If-Match: \"00000000-1\""])
        #expect(stale.status == 412 && !stale.text.contains("rope"))
        let reading = try service.make("/v1/readings", #"{"book":"\#(scenario.story.book)"}"#, token: mia)
        _ = try service.make("/v1/readings/\(reading)/entries", #"{"progress":0.9}"#, token: mia)
        #expect(watcher.wait { $0.events.last?.data.contains("the end is a rope") == true })
        #expect(try service.send("GET", "/v1/reports/\(id)", token: mia).text.contains("rope"))
        // Ada has not reached the note either, and decides without seeing its text.
        func close(_ fields: [String] = []) throws -> Answer {
            try service.send(
                "PATCH", "/v1/reports/\(id)", #"{"outcome":"acted"}"#, token: scenario.story.ada, fields: fields)
        }
        let closed = try close(["Idempotency-Key: \"once\""])
        #expect(closed.status == 200 && !closed.text.contains("rope"), "\(closed.text)")
        #expect(try service.send("GET", "/v1/reports/\(id)", token: scenario.story.ada).etag == closed.etag)
        for again in try [close(), close(["Idempotency-Key: \"once\""])] {
            #expect(again.status == 200 && again.etag == closed.etag, "\(again.text)")
        }
        let club = "/v1/clubs/\(scenario.story.club)"
        _ = try service.send("PATCH", club, #"{"moderatorsSeeAhead":true}"#, token: scenario.story.ada)
        #expect(try service.send("GET", "/v1/reports/\(id)", token: scenario.story.ada).text.contains("rope"))
    }

    @Test("A moderator whose progress hides or shows a report's words gets another ETag and a snapshot")
    func progress() throws {
        let scenario = try Scenario()
        let (service, mia) = (scenario.service, scenario.mia)
        let note = try scenario.note("the end is a rope", at: "0.9")
        _ = try scenario.story.read("0.95")
        let id = try scenario.report("note", note, by: scenario.story.ben)["id"]?.string ?? ""
        let known = "/v1/books/\(scenario.story.book)/knowledge"
        let watcher = try Watcher(service, "/v1/reports/\(id)", token: mia)
        #expect(watcher.wait(count: 1))
        func get(_ tag: String? = nil) throws -> Answer {
            let fields = tag.map { ["If-None-Match: \($0)"] } ?? []
            return try service.send("GET", "/v1/reports/\(id)", token: mia, fields: fields)
        }
        let hidden = try get()
        #expect(try !hidden.text.contains("rope") && get(hidden.etag).status == 304)
        #expect(try service.send("PUT", known, "{}", token: mia).status == 201)
        #expect(watcher.wait { $0.events.last?.data.contains("rope") == true })
        let shown = try get(hidden.etag)
        #expect(try shown.status == 200 && shown.text.contains("rope") && get(shown.etag).status == 304)
        #expect(try service.send("DELETE", known, token: mia).status == 204)
        #expect(watcher.wait { $0.events.last?.data.contains("rope") == false })
        #expect(try get(shown.etag).status == 200)
        let decision = #"{"outcome":"acted"}"#
        let closed = try service.send(
            "PATCH", "/v1/reports/\(id)", decision, token: mia, fields: ["If-Match: \(hidden.etag)"])
        #expect(closed.status == 200, "\(closed.text)")
    }

    @Test("Nobody sees or decides a report about their own note, also if it does not name them")
    func nameless() throws {
        let scenario = try Scenario()
        let (service, mia) = (scenario.service, scenario.mia)
        let note = try scenario.note("rude words", by: mia)
        let member = "/v1/clubs/\(scenario.story.club)/members/\(scenario.ids["mia"] ?? "")"
        #expect(try service.send("DELETE", "\(member)?notes=nameless", token: mia).status == 204)
        try scenario.story.join(mia)
        #expect(try service.send("PATCH", member, #"{"role":"moderator"}"#, token: scenario.story.ada).status == 200)
        let id = try scenario.report("note", note, by: scenario.story.ben, text: "it was her")["id"]?.string ?? ""
        #expect(try scenario.list(by: scenario.story.ada) == [id] && scenario.list(by: mia) == [])
        #expect(try service.send("GET", "/v1/reports/\(id)", token: mia).status == 404)
        let decision = #"{"outcome":"dismissed"}"#
        #expect(try service.send("PATCH", "/v1/reports/\(id)", decision, token: mia).status == 404)
    }

    @Test("A report may be about a club, reader or shelf, but not about one's own or an invisible one")
    func others() throws {
        let scenario = try Scenario()
        let (service, ben, cem) = (scenario.service, scenario.story.ben, scenario.cem)
        let (mias, bens) = (scenario.ids["mia"] ?? "", scenario.ids["ben"] ?? "")
        let shelf = try service.make(
            "/v1/shelves", #"{"name":"rude","club":"\#(scenario.story.club)"}"#, token: scenario.mia)
        let own = try service.make("/v1/shelves", #"{"name":"own"}"#, token: cem)
        let notes = try (scenario.note("mine", by: ben), scenario.note("his"))
        for (about, subject, status) in [
            ("club", scenario.story.club, 201), ("reader", mias, 201), ("shelf", shelf, 201), ("note", notes.1, 201),
            ("reader", bens, 422), ("note", notes.0, 422), ("shelf", own, 404), ("note", OwnIDTests.id, 404),
            ("club", OwnIDTests.id, 404), ("reader", OwnIDTests.id, 404), ("note", scenario.story.club, 404),
        ] {
            let answer = try scenario.report(about, subject, by: ben)
            #expect(answer.status == status, "\(about): \(answer.text)")
        }
        // Mia does not see reports about herself, and of the others only those in her club.
        #expect(try scenario.list(by: scenario.mia).count == 1)
        #expect(try scenario.list(by: scenario.story.ada).count == 2)
        #expect(try scenario.list("?own=false", by: nil).count == 4)
        #expect(try scenario.list("?own=false", by: ben).count == 0)
        let dora = try service.reader("Dora")
        for (about, subject) in [("club", scenario.story.club), ("reader", bens), ("shelf", shelf), ("note", notes.1)] {
            #expect(try scenario.report(about, subject, by: dora).status == 404, "\(about)")
        }
        let wrong = try service.send("POST", "/v1/reports", #"{"about":"book","reason":7,"x":1}"#, token: ben)
        #expect(wrong.status == 422 && Set(wrong.pointers) == ["/about", "/subject", "/reason", "/x"], "\(wrong.text)")
    }

    @Test("Another report is accepted when the content changed and the first is closed, and open reports are bounded")
    func bounds() throws {
        let scenario = try Scenario()
        let (service, ben) = (scenario.service, scenario.story.ben)
        let note = try scenario.note("rude")
        let first = try scenario.report("note", note, by: ben)["id"]?.string ?? ""
        #expect(try service.send("PATCH", "/v1/reports/\(first)", #"{"outcome":"dismissed"}"#).status == 200)
        #expect(try scenario.report("note", note, by: ben)["id"]?.string == first)
        _ = try service.send("PATCH", "/v1/notes/\(note)", #"{"body":"ruder"}"#, token: scenario.cem)
        #expect(try scenario.report("note", note, by: ben).status == 201)
        for number in 1..<20 {
            #expect(try scenario.report("note", scenario.note("rude \(number)"), by: ben).status == 201)
        }
        let refused = try scenario.report("note", scenario.note("one more"), by: ben)
        #expect(refused.status == 409 && refused["limit"]?["name"]?.string == "openReportsMax", "\(refused.text)")
        #expect(try scenario.report("note", note, by: ben).status == 200)
        #expect(try eventually { try service.metric("lectern_reports_open") == 20 })
    }

    @Test("Reports are visible to a moderator from the start of the role until its end")
    func roles() throws {
        let scenario = try Scenario()
        let (service, ben) = (scenario.service, scenario.story.ben)
        let id = try scenario.report("note", scenario.note("rude"), by: ben)["id"]?.string ?? ""
        let dora = try service.reader("Dora")
        let doras = try service.send("GET", "/v1/me", token: dora)["id"]?.string ?? ""
        try scenario.story.join(dora)
        let watcher = try Watcher(service, "/v1/reports", token: dora)
        #expect(watcher.wait(count: 1) && watcher.events.last?.data.contains(id) == false)
        let path = "/v1/clubs/\(scenario.story.club)/members/\(doras)"
        _ = try service.send("PATCH", path, #"{"role":"moderator"}"#, token: scenario.story.ada)
        #expect(watcher.wait { $0.events.last?.data.contains(id) == true })
        _ = try service.send("PATCH", path, #"{"role":"member"}"#, token: scenario.story.ada)
        #expect(watcher.wait(count: 3) && watcher.events.last?.data.contains(id) == false)
        #expect(try service.send("GET", "/v1/reports/\(id)", token: dora).status == 404)
    }
}
