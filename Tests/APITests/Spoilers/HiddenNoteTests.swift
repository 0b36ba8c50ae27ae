import API
import JSON
import SharedByTests
import Testing

@Suite("Notes that become invisible", .serialized, .ownThreads)
struct HiddenNoteTests {
    @Test("Notes reached by an entry leave when it is undone, with the reason, and return with another entry")
    func undone() throws {
        let story = try ClubStory()
        let service = story.service
        let (near, far) = (try story.note("0.4"), try story.note("0.6"))
        _ = try story.read("0.5")
        let entry = try story.enter(#"{"progress":0.6}"#)
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        let one = try Watcher(service, "/v1/notes/\(far)", token: story.ben)
        let feed = try Watcher(service, "/v1/changes", token: story.ben)
        for watcher in [list, one, feed] { #expect(watcher.wait(count: 1)) }
        let before = try service.head(token: story.ben)
        let path = "/v1/readings/\(story.reading)/entries/\(entry)"
        #expect(try service.send("DELETE", path, token: story.ben).status == 204)
        #expect(try story.seen() == [near])
        #expect(list.wait(count: 2) && list.names == ["snapshot", "leave"] && list.says("undone"))
        #expect(one.wait { $0.isComplete } && one.names == ["snapshot", "leave"] && one.says("undone"))
        #expect(
            try service.events(after: before, token: story.ben)
                == ["entry deleted", "reading updated", "note hidden"])
        _ = try story.enter(#"{"progress":0.6}"#)
        #expect(try Set(story.seen()) == [near, far])
        #expect(list.wait(count: 3) && list.names.last == "unlocked")
        // A finished reading reaches all notes, and a reopened one only those of its entries.
        let last = try story.note("0.9")
        for (isFinished, seen) in [(true, [near, far, last]), (false, [near, far])] {
            _ = try service.send(
                "PATCH", "/v1/readings/\(story.reading)", "{\"isFinished\":\(isFinished)}", token: story.ben)
            #expect(try Set(story.seen()) == Set(seen))
        }
        #expect(try service.send("DELETE", "/v1/readings/\(story.reading)", token: story.ben).status == 204)
        #expect(try story.seen() == [])
    }
    @Test("A raised note leaves the readers who have not reached it, with its replies, and nobody replays it")
    func raised() throws {
        let story = try ClubStory()
        let service = story.service
        let start = try service.head(token: story.ben)
        let note = try story.note("0.4", "a rope")
        let answer = try service.make("/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"a noose\"}", token: story.ada)
        let beside = try story.note("0.4", "a chair")
        let other = try service.make("/v1/notes", "{\"replyTo\":\"\(beside)\",\"body\":\"two\"}", token: story.ada)
        _ = try story.read("0.5")
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        let search = try Watcher(service, "/v1/clubs/\(story.club)/notes?q=noose", token: story.ben)
        let one = try Watcher(service, "/v1/notes/\(note)", token: story.ben)
        let feed = try Watcher(service, "/v1/changes", token: story.ben)
        let adas = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ada)
        for watcher in [list, search, one, feed, adas] { #expect(watcher.wait(count: 1)) }
        let before = try service.head(token: story.ben)
        let raised = try story.raise(note, #"{"opensAt":{"progress":0.6}}"#, by: story.ada)
        #expect(raised.status == 200 && raised["share"]?.double == 0.65, "\(raised.text)")
        #expect(raised["opensAt"]?["progress"]?.double == 0.6 && raised["position"]?["progress"]?.double == 0.4)
        #expect(try Set(story.seen()) == [beside, other])
        #expect(
            list.wait(count: 3) && list.names == ["snapshot", "leave", "leave"] && list.says("raised"))
        #expect(search.wait(count: 2) && search.names == ["snapshot", "leave"] && search.says("raised"))
        #expect(one.wait { $0.isComplete } && one.names == ["snapshot", "leave"] && one.says("raised"))
        #expect(feed.wait(count: 3) && feed.names.suffix(2) == ["hidden", "hidden"])
        #expect(feed.events.suffix(2).allSatisfy { $0.data.contains("\"reason\":\"raised\"") })
        #expect(adas.wait(count: 3) && adas.names == ["snapshot", "updated", "updated"])
        #expect(try service.send("GET", "/v1/notes/\(answer)", token: story.ben).status == 404)
        #expect(try service.events(after: before, token: story.ben) == ["note hidden", "note hidden"])
        let replay = try service.send("GET", "/v1/changes?after=\(start)&limit=100", token: story.ben).text
        #expect(!replay.contains("a rope") && !replay.contains("noose") && replay.contains("a chair"))
        _ = try story.read("0.6")
        #expect(list.wait(count: 5) && Array(list.names.suffix(2)) == ["unlocked", "unlocked"])
        #expect(try Set(story.seen()) == [note, answer, beside, other])
    }

    @Test(
        "Author and moderators raise a threshold, never lower it; nobody else does, and moderators change nothing else")
    func rights() throws {
        let story = try ClubStory()
        _ = try story.read("0.9")
        let note = try story.note(with: #","position":{"progress":0.4}"#, by: story.ben)["id"]?.string ?? ""
        for body in [#"{"opensAt":{"progress":0.3}}"#, #"{"opensAt":null}"#, #"{"opensAt":0.5}"#] {
            #expect(try story.raise(note, body, by: story.ben).pointers == ["/opensAt"], "\(body)")
        }
        // A page is in another scale: its share must not be smaller.
        #expect(try story.raise(note, #"{"opensAt":{"page":39}}"#, by: story.ben).pointers == ["/opensAt"])
        #expect(
            try story.raise(note, #"{"opensAt":{"progress":1.5}}"#, by: story.ben).pointers == ["/opensAt/progress"])
        for body in [
            #"{"threshold":"everyone"}"#, #"{"threshold":"position"}"#,
            #"{"threshold":"finished","opensAt":{"progress":0.5}}"#,
        ] {
            #expect(try story.raise(note, body, by: story.ben).pointers == ["/threshold"], "\(body)")
        }
        let same = try story.raise(note, #"{"opensAt":{"progress":0.4}}"#, by: story.ben)
        #expect(same.status == 200 && same.fields["lectern-unchanged"] == "true", "\(same.text)")
        #expect(try story.raise(note, #"{"opensAt":{"progress":0.5}}"#, by: story.ada).status == 404)
        let sees = try story.service.send(
            "PATCH", "/v1/clubs/\(story.club)", "{\"moderatorsSeeAhead\":true}", token: story.ada)
        #expect(sees.status == 200)
        #expect(try story.raise(note, #"{"opensAt":{"progress":0.5}}"#, by: story.ada)["share"]?.double == 0.55)
        for words in [#""body":"x""#, #""quote":"x""#, #""kind":"quote""#, #""language":"en""#, #""audience":"club""#] {
            #expect(
                try story.raise(note, "{\"opensAt\":{\"progress\":0.6},\(words)}", by: story.ada).status == 403,
                "\(words)")
        }
        let adas = try story.note("0.2")
        #expect(try story.raise(adas, #"{"threshold":"finished"}"#, by: story.ben).status == 403)
        let last = try story.raise(note, #"{"threshold":"finished"}"#, by: story.ada)
        #expect(last["threshold"]?.string == "finished" && last["share"]?.double == 1 && last["opensAt"] == nil)
    }

    @Test("A moderator with the club's setting sees all notes, until it is turned off")
    func ahead() throws {
        let story = try ClubStory()
        let club = "/v1/clubs/\(story.club)"
        let note = try story.note("0.9")
        func set(_ sees: Bool) throws {
            _ = try story.service.send("PATCH", club, "{\"moderatorsSeeAhead\":\(sees)}", token: story.ada)
        }
        func make(_ role: String) throws {
            _ = try story.service.send(
                "PATCH", "\(club)/members/\(story.benID)", "{\"role\":\"\(role)\"}", token: story.ada)
        }
        try set(true)
        #expect(try story.seen() == [])
        for (change, isSeen) in [
            ({ try make("moderator") }, true), ({ try set(false) }, false), ({ try set(true) }, true),
            ({ try make("member") }, false),
        ] as [(() throws -> Void, Bool)] {
            let before = try story.service.head(token: story.ben)
            try change()
            #expect(try story.seen() == (isSeen ? [note] : []))
            let received = try story.service.events(after: before, token: story.ben).filter { $0.hasPrefix("note") }
            #expect(received == [isSeen ? "note unlocked" : "note hidden"])
        }
    }
}
