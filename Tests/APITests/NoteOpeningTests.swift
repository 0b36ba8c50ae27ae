import API
import Foundation
import JSON
import SharedByTests
import Testing

extension ClubStory {
    /// A note for the club with these members besides.
    fileprivate func note(with members: String, by token: String) throws -> Answer {
        let body = "{\"book\":\"\(book)\",\"club\":\"\(club)\",\"body\":\"a rope\"\(members)}"
        let answer = try service.send("POST", "/v1/notes", body, token: token)
        #expect(answer.status == 201, "\(answer.text)")
        return answer
    }

    fileprivate func raise(_ note: String, _ body: String, by token: String) throws -> Answer {
        try service.send("PATCH", "/v1/notes/\(note)", body, token: token)
    }
}

extension Watcher {
    /// Whether the last event gives that reason.
    fileprivate func says(_ reason: String) -> Bool {
        events.last?.data.contains(",\"reason\":\"\(reason)\"") ?? false
    }
}

@Suite("Where notes open", .serialized, .ownThreads)
struct NoteOpeningTests {
    @Test(
        "A note opens at its position, when the book is finished, or to everyone, as its author says, and says so itself"
    )
    func ways() throws {
        let story = try ClubStory()
        let rows = [
            (#","progress":0.4"#, "position", 0.45), (#","progress":0.4,"opens":"position""#, "position", 0.45),
            (#","progress":0.4,"opens":"everyone""#, "everyone", 0), (#","progress":0.97"#, "position", 1),
            (#","progress":0"#, "position", 0), (#","progress":0.4,"opens":"finished""#, "finished", 1),
            ("", "finished", 1), (#","opens":"everyone""#, "everyone", 0),
        ]
        var ids: [String] = []
        for (members, opens, opensAt) in rows {
            let note = try story.note(with: members, by: story.ada)
            #expect(note["opens"]?.string == opens && note["opensAt"]?.double == opensAt, "\(members): \(note.text)")
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
            "POST", "/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"x\",\"opens\":\"position\"}", token: story.ada)
        #expect(wrong.pointers == ["/opens"])
    }

    @Test("A reply is where it says it is, and opens no earlier than what it answers")
    func replies() throws {
        let story = try ClubStory()
        let note = try story.note("0.4")
        func reply(_ members: String, to note: String) throws -> Answer {
            try story.service.send(
                "POST", "/v1/notes/\(note)/replies", "{\"body\":\"r\"\(members)}", token: story.ada)
        }
        let plain = try reply("", to: note)
        #expect(plain["progress"]?.double == 0.4 && plain["opensAt"]?.double == 0.45, "\(plain.text)")
        let earlier = try reply(#","progress":0.1"#, to: note)
        #expect(earlier["progress"]?.double == 0.1 && earlier["opensAt"]?.double == 0.45, "\(earlier.text)")
        let later = try reply(#","progress":0.6"#, to: plain["id"]?.string ?? "")
        #expect(later["progress"]?.double == 0.6 && later["opensAt"]?.double == 0.65, "\(later.text)")
        let all = try reply(#","opens":"everyone""#, to: note)
        #expect(all["progress"]?.double == 0.4 && all["opensAt"]?.double == 0.45, "\(all.text)")
        let last = try reply(#","opens":"finished""#, to: note)
        #expect(last["progress"]?.double == 0.4 && last["opensAt"]?.double == 1, "\(last.text)")
        _ = try story.read("0.39")
        #expect(try story.seen() == [])
        _ = try story.read("0.4")
        #expect(Set(try story.seen()) == Set([note] + [plain, earlier, all].compactMap { $0["id"]?.string }))
        _ = try story.read("0.6")
        #expect(try story.seen().contains(later["id"]?.string ?? "") && story.seen().count == 5)
    }

    @Test("What is raised leaves those who have not come so far, with what answers it, and nobody replays it")
    func raised() throws {
        let story = try ClubStory()
        let service = story.service
        let start = try service.head(token: story.ben)
        let note = try story.note("0.4", "a rope")
        let answer = try service.make("/v1/notes/\(note)/replies", "{\"body\":\"a noose\"}", token: story.ada)
        let beside = try story.note("0.4", "a chair")
        let other = try service.make("/v1/notes/\(beside)/replies", "{\"body\":\"two\"}", token: story.ada)
        _ = try story.read("0.5")
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        let search = try Watcher(service, "/v1/clubs/\(story.club)/notes?q=noose", token: story.ben)
        let one = try Watcher(service, "/v1/notes/\(note)", token: story.ben)
        let feed = try Watcher(service, "/v1/changes", token: story.ben)
        let adas = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ada)
        for watcher in [list, search, one, feed, adas] { #expect(watcher.wait(count: 1)) }
        let before = try service.head(token: story.ben)
        let raised = try story.raise(note, "{\"opensAt\":0.6}", by: story.ada)
        #expect(raised.status == 200 && raised["opensAt"]?.double == 0.6, "\(raised.text)")
        #expect(try Set(story.seen()) == [beside, other])
        #expect(
            list.wait(count: 3) && list.names == ["snapshot", "leave", "leave"] && list.says("moved"))
        #expect(search.wait(count: 2) && search.names == ["snapshot", "leave"] && search.says("moved"))
        #expect(one.wait { $0.isComplete } && one.names == ["snapshot", "leave"] && one.says("moved"))
        #expect(feed.wait(count: 3) && feed.names.suffix(2) == ["hidden", "hidden"])
        #expect(feed.events.suffix(2).allSatisfy { $0.data.contains("\"reason\":\"moved\"") })
        #expect(adas.wait(count: 3) && adas.names == ["snapshot", "updated", "updated"])
        #expect(try service.send("GET", "/v1/notes/\(answer)", token: story.ben).status == 404)
        #expect(try service.events(after: before, token: story.ben) == ["note hidden", "note hidden"])
        let replay = try service.send("GET", "/v1/changes?after=\(start)&limit=100", token: story.ben).text
        #expect(!replay.contains("a rope") && !replay.contains("noose") && replay.contains("a chair"))
        _ = try story.read("0.6")
        #expect(list.wait(count: 5) && Array(list.names.suffix(2)) == ["unlocked", "unlocked"])
        #expect(try Set(story.seen()) == [note, answer, beside, other])
    }

    @Test("Author and moderators raise, and only up; for nobody else, and nothing else of what others wrote")
    func rights() throws {
        let story = try ClubStory()
        _ = try story.read("0.9")
        let note = try story.note(with: #","progress":0.4"#, by: story.ben)["id"]?.string ?? ""
        for body in [#"{"opensAt":0.3}"#, #"{"opensAt":null}"#, #"{"opensAt":1.5}"#] {
            #expect(try story.raise(note, body, by: story.ben).pointers == ["/opensAt"], "\(body)")
        }
        for body in [#"{"opens":"everyone"}"#, #"{"opens":"position"}"#, #"{"opens":"finished","opensAt":0.5}"#] {
            #expect(try story.raise(note, body, by: story.ben).pointers == ["/opens"], "\(body)")
        }
        let same = try story.raise(note, #"{"opensAt":0.45}"#, by: story.ben)
        #expect(same.status == 200 && same.fields["lectern-unchanged"] == "true")
        #expect(try story.raise(note, #"{"opensAt":0.5}"#, by: story.ada).status == 404)
        let sees = try story.service.send(
            "PATCH", "/v1/clubs/\(story.club)", "{\"moderatorsSeeAhead\":true}", token: story.ada)
        #expect(sees.status == 200)
        #expect(try story.raise(note, #"{"opensAt":0.5}"#, by: story.ada)["opensAt"]?.double == 0.5)
        for words in [#""body":"x""#, #""quote":"x""#, #""kind":"quote""#, #""language":"en""#, #""audience":"club""#] {
            #expect(try story.raise(note, "{\"opensAt\":0.6,\(words)}", by: story.ada).status == 403, "\(words)")
        }
        let adas = try story.note("0.2")
        #expect(try story.raise(adas, #"{"opens":"finished"}"#, by: story.ben).status == 403)
        let last = try story.raise(note, #"{"opens":"finished"}"#, by: story.ada)
        #expect(last["opens"]?.string == "finished" && last["opensAt"]?.double == 1)
    }

    @Test(
        "Where no chapters are known a club's slack is between those who read by other numbers, and chapters after that"
    )
    func slack() throws {
        let story = try ClubStory(club: #","slack":0.2"#)
        let service = story.service
        let edition = try service.make(
            "/v1/books/\(story.book)/editions", #"{"format":"audio","length":1000}"#, token: story.ada)
        let at = #","at":{"seconds":400,"edition":"\#(edition)"}"#
        let first = try story.note(with: at, by: story.ada)
        #expect(first["progress"]?.double == 0.4 && first["opensAt"]?.double == 0.6, "\(first.text)")
        let own = #"{"book":"\#(story.book)"\#(at),"body":"mine until it is shared"}"#
        let kept = try service.make("/v1/notes", own, token: story.ada)
        let shared = try service.send("PATCH", "/v1/notes/\(kept)", #"{"club":"\#(story.club)"}"#, token: story.ada)
        #expect(shared["opensAt"]?.double == 0.6, "\(shared.text)")
        let chapters = #"{"chapters":[{"label":"1"},{"label":"2","share":0.45},{"label":"3","share":0.8}]}"#
        let put = try service.send("PUT", "/v1/books/\(story.book)/chapters", chapters, token: story.ada)
        #expect(put.status == 201, "\(put.text)")
        let second = try story.note(with: at, by: story.ada)
        #expect(second["opensAt"]?.double == 0.45, "\(second.text)")
        _ = try story.read("0.46")
        #expect(try story.seen() == [second["id"]?.string])
        _ = try story.read("0.6")
        #expect(try story.seen().count == 3)
    }

    @Test("A note may be a meeting's agenda or a milestone's name for who has read so far, beside what all see")
    func about() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        let place = #""book":"\#(story.book)","at":{"progress":0.5}"#
        let meeting = try service.make(
            "/v1/clubs/\(story.club)/meetings", #"{"startsAt":"2090-12-01T18:30:00Z",\#(place),"title":"Week 3"}"#,
            token: story.ada)
        let milestone = try service.make(
            "/v1/clubs/\(story.club)/milestones",
            #"{"name":"Week 4","at":{"progress":0.7},"dueAt":"2090-12-01T18:30:00Z"}"#, token: story.ada)
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
