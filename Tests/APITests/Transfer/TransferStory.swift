import Foundation
import JSON
import Model
import SharedByTests
import Testing

@testable import API
@testable import Store

/// A server with a row in each table, and its exports to other servers.
struct TransferStory {
    let story: ClubStory
    var service: TestService { story.service }

    init() throws {
        story = try ClubStory(club: ",\"visibility\":\"listed\",\"moderatorsSeeAhead\":true")
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        let other = try service.reader("Cleo")
        let asked = try service.reader("Dora")
        try story.join(other)
        try story.remove(other)
        _ = try service.make("/v1/requests", "{\"club\":\"\(story.club)\",\"message\":\"please\"}", token: asked)
        try story.choose()
        _ = try story.milestone("0.5", due: "2090-01-01T18:00:00Z")
        try story.createStanding(sharing: "exact")
        let note = try story.note("0.2")
        for (progress, time) in [("0.3", "2026-01-02T03:04:05.678Z"), ("0.25", "2026-01-01T00:00:00Z")] {
            _ = try service.make(
                "/v1/readings/\(story.reading)/entries",
                "{\"progress\":\(progress),\"note\":\"=1+1 \u{e9}\u{1F4D6}\",\"device\":\"-x\",\"happenedAt\":\"\(time)\"}",
                token: story.ben)
        }
        #expect(try CoverTests.upload(ImageServer.png, story.book, service).status == 200)
        let edition = try service.make("/v1/books/\(story.book)/editions", EditionTests.paper, token: story.ben)
        try request("PUT", "/v1/books/\(story.book)/chapters", "{\"chapters\":[{\"label\":\"1\",\"title\":\"=A\"},{}]}")
        let recording = try service.make(
            "/v1/books/\(story.book)/editions", "{\"format\":\"audio\",\"length\":9}", token: story.ben)
        try request("PATCH", "/v1/editions/\(edition)", "{\"anchors\":[10,200]}")
        for at in ["{\"page\":20,\"edition\":\"\(edition)\"}", "{\"seconds\":1.5,\"edition\":\"\(recording)\"}"] {
            try request("POST", "/v1/readings/\(story.reading)/entries", "{\"position\":\(at)}")
        }
        let known = "{\"through\":{\"page\":30,\"edition\":\"\(edition)\",\"locator\":\"a\"}}"
        try request("PUT", "/v1/books/\(story.book)/knowledge", known)
        try annotate()
        let reply = try service.make("/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"a reply\"}", token: story.ben)
        try answer(reply, edition)
        let own = try service.make(
            "/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"my own\\n+ lines\"}", token: story.ben)
        try request("PUT", "/v1/readings/\(story.reading)/rating", "{\"stars\":4.5,\"noteId\":\"\(own)\"}")
        try readAgain(edition)
        try takeBack(edition)
        try request("PUT", "/v1/notes/\(note)/reactions/love")
        let meeting = try story.meeting()
        try request("PUT", "\(club)/meetings/\(meeting)/attendance", "{\"answer\":\"yes\"}")
        try request("POST", "\(club)/calendars")
        let shelf = OwnIDTests.id
        try request("PUT", "/v1/shelves/\(shelf)", "{\"name\":\"Sea\",\"club\":\"\(story.club)\"}")
        try request("PUT", "/v1/shelves/\(shelf)/books/\(story.book)", "{}")
        try request("PUT", "/v1/shelves/\(story.benID)/books/\(story.book)", "{}")
        try request("PATCH", "/v1/settings", "{\"presence\":true,\"timeZone\":\"Europe/Berlin\"}")
        try request("PUT", "/v1/scenes/phone/draft", "{\"value\":[1.0,\"\\u0007\"]}")
        let again = try service.make("/v1/readings", "{\"book\":\"\(story.book)\",\"isReread\":true}", token: story.ben)
        try request("PATCH", "/v1/readings/\(again)", "{\"startedAt\":\"2026-01-01T00:00:00Z\",\"state\":\"finished\"}")
        let ada = try service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        try request("PUT", "/v1/me/blocks/\(ada)")
        try leave(note)
        let id = try service.send("GET", "/v1/me", token: asked)["id"]?.string ?? ""
        #expect(try service.send("PATCH", "/v1/readers/\(id)", #"{"suspension":{"reason":"spam"}}"#).status == 200)
        _ = try service.make("/v1/readers", "{\"name\":\"Ida\",\"guardian\":\"\(id)\"}")
        try request("PATCH", "\(club)/members/\(story.benID)", "{\"sharesWithModerators\":\"finished\"}")
        let ways = [
            #"{"kind":"account","reader":"\#(story.benID)","name":"Ben","folded":"ben","password":"$y$j75$abcdefghijklmnopqrstuv$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq","passwordAt":"2026-01-02T03:04:05.678Z"}"#,
            #"{"kind":"identity","issuer":"https://id.example","subject":"7","reader":"\#(story.benID)","createdAt":"2026-01-02T03:04:05.678Z"}"#,
        ]
        let brought = try service.bring(ways)
        #expect(brought["created"]?.integer == 2, "\(brought.text)")
    }

    /// Creates entries with notes: private ones and one of the club. One note has another text than its entry, one has
    /// the entry's text, one has lost its entry.
    private func annotate() throws {
        let path = "/v1/readings/\(story.reading)/entries"
        func make(_ note: String) throws -> Answer {
            let body = "{\"progress\":0.2,\"note\":\(note),\"happenedAt\":\"2026-01-03T00:00:00Z\"}"
            let answer = try service.send("POST", path, body, token: story.ben)
            #expect(answer.status == 201, "\(answer.text)")
            return answer
        }
        let first = try make(#"{"body":"noted","kind":"question","quote":"=cited","language":"en"}"#)
        try request("PATCH", "/v1/notes/\(first["noteId"]?.string ?? "")", "{\"body\":\"noted anew\"}")
        _ = try make("{\"quote\":\"only cited\",\"club\":\"\(story.club)\"}")
        let text = try make("\"of its own\"")["id"]?.string ?? ""
        try request("POST", "/v1/notes", "{\"entry\":\"\(text)\",\"kind\":\"prediction\"}")
        let gone = try make(#"{"body":"stays"}"#)["id"]?.string ?? ""
        #expect(try service.send("DELETE", "\(path)/\(gone)?note=keep", token: story.ben).status == 204)
    }

    /// Creates replies to replies, one of them deleted, with a scale of their own; a note about a milestone; and a note
    /// with a raised threshold.
    private func answer(_ reply: String, _ edition: String) throws {
        let position = "\"position\":{\"page\":20,\"edition\":\"\(edition)\"}"
        let gone = try service.make(
            "/v1/notes", "{\"replyTo\":\"\(reply)\",\"body\":\"seen\",\(position)}", token: story.ben)
        let last = try service.make("/v1/notes", "{\"replyTo\":\"\(gone)\",\"body\":\"last\"}", token: story.ben)
        #expect(try service.send("DELETE", "/v1/notes/\(gone)", token: story.ben).status == 204)
        try request("PATCH", "/v1/notes/\(last)", "{\"threshold\":\"finished\"}")
        let milestone = try story.milestone("0.1", due: "2091-01-01T18:00:00Z")
        let club = "\"book\":\"\(story.book)\",\"club\":\"\(story.club)\""
        for place in ["\"about\":\"\(milestone)\"", "\"position\":{\"page\":30,\"edition\":\"\(edition)\"}"] {
            _ = try service.make("/v1/notes", "{\(club),\(place),\"body\":\"b\"}", token: story.ben)
        }
    }

    /// Creates another run of the club's book in an edition, with every kind of resource of a run, and a proposed run.
    private func readAgain(_ edition: String) throws {
        let run = try story.run(
            ",\"state\":\"current\",\"edition\":\"\(edition)\",\"startsAt\":\"2026-01-02T03:04:05.678Z\"")
        _ = try story.run(by: story.ben)
        _ = try story.add(
            "milestones", "{\"run\":\"\(run)\",\"position\":{\"page\":100},\"dueAt\":\"2090-01-01T18:00:00Z\"}")
        _ = try story.add("standings", "{\"run\":\"\(run)\"}", by: story.ben)
        _ = try story.meeting(",\"book\":\"\(story.book)\",\"run\":\"\(run)\"")
        let body = "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"run\":\"\(run)\",\"body\":\"again\"}"
        _ = try story.add("notes", body, by: story.ben)
    }

    /// Deletes an entry of Ben's that was further on.
    private func takeBack(_ edition: String) throws {
        let path = "/v1/readings/\(story.reading)/entries"
        let place = "{\"position\":{\"page\":300,\"edition\":\"\(edition)\"}}"
        let entry = try service.make(path, place, token: story.ben)
        #expect(try service.send("DELETE", "\(path)/\(entry)", token: story.ben).status == 204)
    }

    /// Creates a reader who writes in clubs, owns one, adds a book, reacts to a note, and leaves.
    private func leave(_ note: String) throws {
        let eli = try service.reader("Eli")
        try story.join(eli)
        let reading = try service.make("/v1/readings", "{\"book\":\"\(story.book)\"}", token: eli)
        _ = try service.make("/v1/readings/\(reading)/entries", "{\"progress\":0.4}", token: eli)
        let own = "0199b7c0-0f00-7001-8000-0000000000bb"
        let run = try story.ids("runs?state=current").first ?? ""
        let place =
            "\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"run\":\"\(run)\",\"position\":{\"progress\":0.1}"
        let given = "{\(place),\"body\":\"Eli's own\"}"
        #expect(try service.send("PUT", "/v1/notes/\(own)", given, token: eli).status == 201)
        _ = try service.make("/v1/notes", "{\"replyTo\":\"\(own)\",\"body\":\"an answer\"}", token: story.ben)
        _ = try service.make("/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"Eli's answer\"}", token: eli)
        _ = try service.make("/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"Eli's secret\"}", token: eli)
        #expect(try service.send("PUT", "/v1/notes/\(note)/reactions/laugh", token: eli).status == 200)
        _ = try story.run(by: eli)
        let book = try service.make("/v1/books", "{\"title\":\"Dawn\"}", token: eli)
        _ = try service.make("/v1/readings", "{\"book\":\"\(book)\"}", token: story.ben)
        let club = try service.make("/v1/clubs", "{\"name\":\"Fridays\"}", token: eli)
        for token in [story.ben, story.ada] {
            let code = try service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: eli)["code"]?.string ?? ""
            _ = try service.make("/v1/memberships", "{\"invitation\":\"\(code)\"}", token: token)
        }
        let id = try service.send("GET", "/v1/me", token: eli)["id"]?.string ?? ""
        #expect(try service.send("DELETE", "/v1/readers/\(id)?confirm=Eli", token: eli).status == 204)
        #expect(try eventually { try service.metric("lectern_erasing") == 0 })
    }

    private func request(_ method: String, _ path: String, _ body: String? = nil) throws {
        let answer = try service.send(method, path, body, token: story.ben)
        #expect((200...201).contains(answer.status), "\(method) \(path): \(answer.text)")
    }
}
