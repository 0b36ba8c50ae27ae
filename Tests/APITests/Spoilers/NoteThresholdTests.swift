import API
import Foundation
import JSON
import SharedByTests
import Testing

extension ClubStory {
    /// Creates a note for the club with these additional members.
    func note(with members: String, by token: String) throws -> Answer {
        let body = "{\"book\":\"\(book)\",\"club\":\"\(club)\",\"body\":\"a rope\"\(members)}"
        let answer = try service.send("POST", "/v1/notes", body, token: token)
        #expect(answer.status == 201, "\(answer.text)")
        return answer
    }

    func raise(_ note: String, _ body: String, by token: String) throws -> Answer {
        try service.send("PATCH", "/v1/notes/\(note)", body, token: token)
    }

    /// Records Ben's position in his reading.
    func enter(_ body: String) throws -> String {
        try service.make("/v1/readings/\(reading)/entries", body, token: ben)
    }
}

@Suite("Thresholds of notes", .serialized, .ownThreads)
struct NoteThresholdTests {
    @Test(
        "Without editions pages and percentages are different scales: a note at 82 % shows at page 435 of 500, not at 413"
    )
    func defaultLeak() throws {
        let story = try ClubStory()
        #expect(
            try story.service.send(
                "PATCH", "/v1/readings/\(story.reading)", #"{"pageCount":500}"#, token: story.ben
            ).status == 200)
        let note = try story.note(with: #","position":{"progress":0.82}"#, by: story.ada)
        #expect(note["share"]?.double == 0.87 && note["threshold"]?.string == "position")
        for page in [413, 434] {
            _ = try story.enter("{\"page\":\(page)}")
            #expect(try story.seen() == [], "page \(page)")
        }
        let entry = try story.enter(#"{"page":435}"#)
        #expect(try story.seen() == [note["id"]?.string])
        let undo = "/v1/readings/\(story.reading)/entries/\(entry)"
        #expect(try story.service.send("DELETE", undo, token: story.ben).status == 204)
        #expect(try story.seen() == [])
        // In its own scale the note becomes visible exactly there.
        _ = try story.enter(#"{"progress":0.819999}"#)
        #expect(try story.seen() == [])
        _ = try story.enter(#"{"progress":0.82}"#)
        #expect(try story.seen() == [note["id"]?.string])
    }

    @Test(
        "A note's threshold is its position, the end of the book, or everyone, as its author says, and the note shows it"
    )
    func words() throws {
        let story = try ClubStory()
        let at = #","position":{"progress":0.4}"#
        let rows: [(String, String, Double)] = [
            (at, "position", 0.45), (at + #","threshold":"position""#, "position", 0.45),
            (at + #","threshold":"everyone""#, "everyone", 0), (#","position":{"progress":0.97}"#, "position", 1),
            (#","position":{"progress":0}"#, "everyone", 0), (at + #","threshold":"finished""#, "finished", 1),
            ("", "finished", 1), (#","threshold":"everyone""#, "everyone", 0),
        ]
        var ids: [String] = []
        for (members, threshold, share) in rows {
            let note = try story.note(with: members, by: story.ada)
            #expect(
                note["threshold"]?.string == threshold && note["share"]?.double == share, "\(members): \(note.text)")
            ids.append(note["id"]?.string ?? "")
        }
        func seen() throws -> [Int] {
            let seen = try story.seen()
            return ids.indices.filter { seen.contains(ids[$0]) }
        }
        #expect(try seen() == [2, 4, 7])
        _ = try story.read("0.4")
        #expect(try seen() == [0, 1, 2, 4, 7])
        let finished = try story.service.send(
            "PATCH", "/v1/readings/\(story.reading)", "{\"isFinished\":true}", token: story.ben)
        #expect(finished.status == 200)
        #expect(try seen() == Array(ids.indices))
        let wrong = try story.service.send(
            "POST", "/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"x\",\"threshold\":\"position\"}",
            token: story.ada)
        #expect(wrong.pointers == ["/threshold"])
    }

    @Test("A reply opens with the note it answers, or later by the rule for raising")
    func replies() throws {
        let story = try ClubStory()
        let note = try story.note("0.4")
        func reply(_ members: String, to note: String) throws -> Answer {
            try story.service.send(
                "POST", "/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"r\"\(members)}", token: story.ada)
        }
        let plain = try reply("", to: note)
        #expect(plain["progress"]?.double == 0.4 && plain["share"]?.double == 0.45, "\(plain.text)")
        let earlier = try reply(#","position":{"progress":0.1}"#, to: note)
        #expect(earlier["progress"]?.double == 0.1 && earlier["share"]?.double == 0.45, "\(earlier.text)")
        #expect(earlier["opensAt"]?["progress"]?.double == 0.4)
        let later = try reply(#","position":{"progress":0.6}"#, to: plain["id"]?.string ?? "")
        #expect(later["progress"]?.double == 0.6 && later["share"]?.double == 0.65, "\(later.text)")
        #expect(later["opensAt"] == nil)
        let all = try reply(#","threshold":"everyone""#, to: note)
        #expect(all["share"]?.double == 0.45 && all["threshold"]?.string == "position", "\(all.text)")
        let last = try reply(#","threshold":"finished""#, to: note)
        #expect(last["progress"]?.double == 0.4 && last["threshold"]?.string == "finished", "\(last.text)")
        // A page is in another scale.
        let page = try reply(#","position":{"page":50}"#, to: note)
        #expect(page["share"]?.double == 0.55, "\(page.text)")
        _ = try story.read("0.39")
        #expect(try story.seen() == [])
        _ = try story.read("0.4")
        #expect(Set(try story.seen()) == Set([note] + [plain, earlier, all].compactMap { $0["id"]?.string }))
        _ = try story.read("0.6")
        #expect(try Set(story.seen()).isSuperset(of: [later, page].compactMap { $0["id"]?.string }))
        #expect(try story.seen().count == 6)
    }

    @Test("A club's slack applies between scales; a private note gets it when it is shared")
    func slack() throws {
        let story = try ClubStory(club: #","slack":0.2"#)
        let service = story.service
        let edition = try service.make(
            "/v1/books/\(story.book)/editions", #"{"format":"audio","length":1000}"#, token: story.ada)
        let at = #","position":{"seconds":400,"edition":"\#(edition)"}"#
        let first = try story.note(with: at, by: story.ada)
        #expect(first["progress"]?.double == 0.4 && first["share"]?.double == 0.6, "\(first.text)")
        let own = #"{"book":"\#(story.book)"\#(at),"body":"mine until it is shared"}"#
        let kept = try service.send("POST", "/v1/notes", own, token: story.ada)
        #expect(kept["share"]?.double == 0.4)
        let shared = try service.send(
            "PATCH", "/v1/notes/\(kept["id"]?.string ?? "")", #"{"club":"\#(story.club)"}"#, token: story.ada)
        #expect(shared["share"]?.double == 0.6, "\(shared.text)")
        _ = try story.read("0.59")
        #expect(try story.seen() == [])
        _ = try story.enter(#"{"position":{"seconds":400,"edition":"\#(edition)"}}"#)
        #expect(try story.seen().count == 2)
    }

    @Test("Notes show where and since when the viewer sees them; events do not")
    func opened() throws {
        let story = try ClubStory()
        let service = story.service
        _ = try story.enter(#"{"page":10}"#)
        let (note, free) = (try story.note("0.4"), try story.note("0"))
        _ = try story.enter(#"{"page":44}"#)
        #expect(try story.seen() == [free])
        _ = try story.enter(#"{"page":60}"#)
        let one = try service.send("GET", "/v1/notes/\(note)?include=opened", token: story.ben)
        #expect(
            try service.send("GET", "/v1/notes/\(note)?include=opened&fields=bodies", token: story.ben).status == 400)
        #expect(one["opened"]?["position"]?["page"]?.integer == 45, "\(one.text)")
        let since = try #require(one["opened"]?["at"]?.string)
        _ = try story.enter(#"{"page":70}"#)
        let list = try service.send("GET", "/v1/clubs/\(story.club)/notes?include=opened", token: story.ben)
        let items = list["items"]?.elements.map { $0 } ?? []
        #expect(items.map { $0["opened"]?["at"]?.string } == [items[0]["createdAt"]?.string, since])
        #expect(items[0]["opened"]?["position"] == nil && items[1]["opened"]?["position"]?["page"]?.integer == 45)
        let own = try service.send("GET", "/v1/notes?include=opened", token: story.ada)
        #expect(own["items"]?.elements.allSatisfy { $0["opened"]?["at"]?.string == $0["createdAt"]?.string } ?? false)
        #expect(try service.send("GET", "/v1/notes/\(note)", token: story.ben)["opened"] == nil)
        #expect(
            try Watcher(service, "/v1/notes/\(note)?include=opened", token: story.ben).wait {
                $0.status == "HTTP/1.1 400"
            })
        #expect(try service.send("GET", "/v1/notes?include=shut", token: story.ada).status == 400)
    }

    @Test("A note may link a meeting's agenda or a milestone for readers who have reached it")
    func about() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        let place = #""book":"\#(story.book)","position":{"progress":0.5}"#
        let meeting = try service.make(
            "/v1/clubs/\(story.club)/meetings", #"{"startsAt":"2090-12-01T18:30:00Z",\#(place),"title":"Week 3"}"#,
            token: story.ada)
        let milestone = try service.make(
            "/v1/clubs/\(story.club)/milestones",
            #"{"name":"Week 4","position":{"progress":0.7},"dueAt":"2090-12-01T18:30:00Z"}"#, token: story.ada)
        let agenda = try story.note(with: #","about":"\#(meeting)""#, by: story.ada)
        let name = try story.note(with: #","about":"\#(milestone)""#, by: story.ada)
        #expect(agenda["progress"]?.double == 0.5 && name["progress"]?.double == 0.7, "\(name.text)")
        #expect(try story.seen("&about=\(meeting)") == [])
        _ = try story.read("0.5")
        #expect(try story.seen("&about=\(meeting)") == [agenda["id"]?.string])
        #expect(try story.seen("&about=\(milestone)") == [])
        let body = #"{"book":"\#(story.book)","club":"\#(story.club)","about":"\#(story.reading)","body":"x"}"#
        #expect(try service.send("POST", "/v1/notes", body, token: story.ada).pointers == ["/about"])
    }
}
