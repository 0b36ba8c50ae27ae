import API
import Foundation
import JSON
import SharedByTests
import Testing

extension ClubStory {
    /// Adds a run of the story's book to the club, and returns its id.
    @discardableResult
    func choose(_ state: String = "current") throws -> String {
        let answer = try service.send(
            "POST", "/v1/clubs/\(club)/runs", "{\"book\":\"\(book)\",\"state\":\"\(state)\"}", token: ada)
        #expect(answer.status == 201, "\(answer.text)")
        return answer["id"]?.string ?? ""
    }

    func milestone(_ progress: String, due: String) throws -> String {
        try service.make(
            "/v1/clubs/\(club)/milestones", "{\"position\":{\"progress\":\(progress)},\"dueAt\":\"\(due)\"}", token: ada
        )
    }

    /// Makes Ben read along with his reading, and share at a level.
    func createStanding(sharing level: String) throws {
        let own = "/v1/clubs/\(club)/members/\(benID)"
        #expect(try service.send("PATCH", own, "{\"shares\":\"\(level)\"}", token: ben).status == 200)
        _ = try service.make("/v1/clubs/\(club)/standings", "{}", token: ben)
    }

    /// Returns a list of the club, as visible to Ada.
    func list(_ name: String) throws -> [JSONValue] {
        try service.send("GET", "/v1/clubs/\(club)/\(name)", token: ada)["items"]?.elements.map { $0 } ?? []
    }

    /// Creates a meeting in the future, with these members besides its time.
    func meeting(_ fields: String = "", startsAt: String = "2090-12-01T18:30:00Z") throws -> String {
        try service.make("/v1/clubs/\(club)/meetings", "{\"startsAt\":\"\(startsAt)\"\(fields)}", token: ada)
    }
}

@Suite("Reading together", .serialized, .ownThreads)
struct TogetherTests {
    @Test("The standings of a club are those of its current runs, and follow the runs' states")
    func current() throws {
        let story = try ClubStory()
        let service = story.service
        #expect(
            try service.send("POST", "/v1/clubs/\(story.club)/standings", "{}", token: story.ben).status == 409)
        let run = try story.choose()
        try story.createStanding(sharing: "exact")
        let watcher = try Watcher(service, "/v1/clubs/\(story.club)/standings", token: story.ada)
        #expect(watcher.wait(count: 1))
        let start = try service.head(token: story.ada)
        #expect(try story.change(run, "{\"state\":\"read\"}").status == 200)
        #expect(try service.events(after: start, token: story.ada) == ["run updated", "standing updated"])
        #expect(watcher.wait(count: 2) && watcher.names == ["snapshot", "leave"])
        #expect(try story.list("standings").isEmpty)
        #expect(try story.list("standings?book=\(story.book)").count == 1)
        #expect(try story.change(run, "{\"state\":\"current\"}")["state"]?.string == "current")
        #expect(watcher.wait(count: 3) && watcher.names.last == "enter")
        #expect(try service.send("DELETE", "/v1/clubs/\(story.club)/runs/\(run)", token: story.ada).status == 204)
        #expect(watcher.wait(count: 4) && watcher.names.last == "leave")
    }

    @Test("Pages of the standings of one current run, or of two, are in the order of their creation")
    func pages() throws {
        let story = try ClubStory()
        let runs = [try story.choose()] + [try story.choose()]
        _ = try story.change(runs[1], "{\"state\":\"planned\"}")
        var created: [String] = []
        for token in [story.ben, story.ada] {
            for run in runs {
                created.append(
                    try story.service.make("/v1/clubs/\(story.club)/standings", "{\"run\":\"\(run)\"}", token: token))
            }
        }
        func pages() throws -> [String?] {
            var (ids, next): ([String?], String?) = ([], "")
            while let cursor = next {
                let path = "/v1/clubs/\(story.club)/standings?limit=1\(cursor.isEmpty ? "" : "&cursor=\(cursor)")"
                let page = try story.service.send("GET", path, token: story.ada)
                ids += page["items"]?.elements.map { $0["id"]?.string } ?? []
                next = page["next"]?.string
            }
            return ids
        }
        #expect(try pages() == [created[0], created[2]])
        _ = try story.change(runs[1], "{\"state\":\"current\"}")
        #expect(try pages() == created)
    }

    @Test("Reading along starts a reading where there is none, and ends with it")
    func along() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        let start = try service.head(token: story.ada)
        let standing = try service.make("/v1/clubs/\(story.club)/standings", "{}", token: story.ada)
        #expect(try service.events(after: start, token: story.ada) == ["reading created", "standing created"])
        #expect(
            try service.send("POST", "/v1/clubs/\(story.club)/standings", "{}", token: story.ada).status == 200)
        let path = "/v1/clubs/\(story.club)/standings/\(standing)"
        #expect(try service.send("DELETE", path, token: story.ben).status == 403)
        #expect(try service.send("DELETE", path, token: story.ada).status == 204)
        try story.createStanding(sharing: "exact")
        #expect(
            try service.send(
                "POST", "/v1/clubs/\(story.club)/standings", "{\"reading\":\"\(story.reading)\"}", token: story.ada
            ).pointers == ["/reading"])
        #expect(try service.send("DELETE", "/v1/readings/\(story.reading)", token: story.ben).status == 204)
        #expect(try story.list("standings").isEmpty)
    }

    @Test("An entry updates the standing once, with one event; an entry that changes nothing visible sends none")
    func standings() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        _ = try story.milestone("0.5", due: "2020-01-01T00:00:00Z")
        _ = try story.milestone("0.8", due: "2090-01-01T00:00:00Z")
        try story.createStanding(sharing: "milestones")
        let watcher = try Watcher(service, "/v1/clubs/\(story.club)/standings?fields=progress,state", token: story.ada)
        #expect(watcher.wait(count: 1))
        let start = try service.head(token: story.ada)
        _ = try story.read("0.2")
        #expect(try service.events(after: start, token: story.ada) == [])
        _ = try story.read("0.55")
        #expect(try service.events(after: start, token: story.ada) == ["standing updated"])
        #expect(watcher.wait(count: 2))
        #expect(watcher.events[1].data.contains("\"progress\":0.5,\"state\":\"onTrack\""), "\(watcher.events[1].data)")
        _ = try story.read("0.85")
        #expect(watcher.wait(count: 3) && watcher.events[2].data.contains("\"progress\":0.8,\"state\":\"ahead\""))
        // Moving a milestone changes the shown position and state.
        let first = try story.list("milestones").first?["id"]?.string ?? ""
        let path = "/v1/clubs/\(story.club)/milestones/\(first)"
        #expect(
            try service.send("PATCH", path, "{\"position\":{\"progress\":0.9}}", token: story.ada)["isDue"]?.bool
                == true)
        #expect(watcher.wait(count: 4) && watcher.events[3].data.contains("\"progress\":0.8,\"state\":\"behind\""))
        #expect(
            try service.send("PATCH", path, "{\"dueAt\":\"2090-01-01T00:00:00Z\"}", token: story.ada)["isDue"]?.bool
                == false)
        #expect(watcher.wait(count: 5) && watcher.events[4].data.contains("\"state\":\"ahead\""))
    }

    @Test("The exact progress of a member who shares only milestones is in no response, event or log row")
    func coarse() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        for progress in ["0.25", "0.5", "0.75"] { _ = try story.milestone(progress, due: "2090-01-01T00:00:00Z") }
        _ = try story.meeting(",\"book\":\"\(story.book)\",\"position\":{\"progress\":0.75}")
        let feed = try Watcher(service, "/v1/changes", token: story.ada)
        let list = try Watcher(service, "/v1/clubs/\(story.club)/standings", token: story.ada)
        #expect(feed.wait(count: 1) && list.wait(count: 1))
        try story.createStanding(sharing: "milestones")
        var entries: [String] = []
        for progress in ["0.1234", "0.3711", "0.2666", "0.5813", "0.7499", "0.9177"] {
            entries.append(try story.read(progress))
        }
        _ = try service.send(
            "DELETE", "/v1/readings/\(story.reading)/entries/\(entries[5])", token: story.ben)
        _ = try service.send("PATCH", "/v1/readings/\(story.reading)", "{\"isFinished\":true}", token: story.ben)
        _ = try service.send("PATCH", "/v1/readings/\(story.reading)", "{\"isFinished\":false}", token: story.ben)
        let mark = try service.make("/v1/books", "{\"title\":\"The End\"}")
        #expect(feed.wait { $0.events.last?.data.contains(mark) ?? false })
        var seen = (feed.events + list.events).map(\.data)
        for path in ["standings", "members", "milestones", "notes", "meetings", "books", "meetings/next/notes"] {
            seen.append(try service.send("GET", "/v1/clubs/\(story.club)/\(path)", token: story.ada).text)
        }
        var cursor = ""
        for _ in 0..<3 {
            let page = try service.send("GET", "/v1/changes?limit=100&after=\(cursor)", token: story.ada)
            seen.append(page.text)
            cursor = page["next"]?.string ?? ""
        }
        for number in ["1234", "3711", "2666", "5813", "7499", "9177"] {
            #expect(!seen.contains { $0.contains("0.\(number)") }, "somebody saw 0.\(number)")
        }
        let shown = list.events.compactMap { try? JSONDocument(Array($0.data.utf8)).root["value"]?["progress"]?.double }
        #expect(shown == [0.25, 0.5, 0.75, 0.5, 0.75, 0.5])
    }

    @Test("A locked note is in no view of a meeting, calendar or Markdown until it is unlocked")
    func views() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        let meeting = try story.meeting(
            ",\"book\":\"\(story.book)\",\"position\":{\"progress\":0.5},\"title\":\"Chapter *one*\"")
        let calendar = try service.send("POST", "/v1/clubs/\(story.club)/calendars", token: story.ben)
        let note = try story.note("0.43", "the rope snaps")
        _ = try service.make("/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"oh\\nno\"}", token: story.ada)
        _ = try story.note("0.6", "too far for this meeting")
        _ = try service.make(
            "/v1/notes",
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"threshold\":\"everyone\",\"body\":\"a fine book\",\"quote\":\"Once\\n\\nupon\"}",
            token: story.ada)
        let path = "/v1/clubs/\(story.club)/meetings/\(meeting)/notes"
        func look() throws -> [String] {
            [
                try service.send("GET", path, token: story.ben).text,
                try service.send("GET", "/v1/clubs/\(story.club)/meetings/next/notes", token: story.ben).text,
                try service.send("GET", path, token: story.ben, fields: ["Accept: text/markdown"]).text,
                try service.send("GET", "/v1/clubs/\(story.club)/standings", token: story.ben).text,
                try service.send("GET", calendar["path"]?.string ?? "", token: "").text,
            ]
        }
        for text in try look() { #expect(!text.contains("rope") && !text.contains(note) && !text.contains("too far")) }
        _ = try story.read("0.44")
        let after = try look()
        #expect(after[0] == after[1] && after[0].contains("the rope snaps"))
        #expect(
            after[2].hasSuffix(
                """
                , *Kindred*, up to 50 %, page 50

                ## On the book

                **Ada**

                > > Once
                > >\u{20}
                > > upon
                >\u{20}
                > a fine book

                ## At 43 %

                **Ada**

                > the rope snaps

                **Ada**, in reply

                > oh
                > no

                """), "\(after[2])")
        #expect(after[2].hasPrefix("# Tuesdays: Chapter \\*one\\*\n\n2090-12-01T18:30:00.000Z"))
        #expect(!after[3].contains("rope") && !after[4].contains("rope"))
        let threads = try service.send("GET", path, token: story.ben)["threads"]?.elements.map { $0 } ?? []
        #expect(threads.count == 2 && threads[1]["notes"]?.elements.map { $0 }.count == 2)
        #expect(
            try service.send("GET", path, token: story.ben, fields: ["Accept: text/html"]).status == 406)
    }

    @Test("A meeting begins at its time, with one event, also if the server was not running")
    func clock() throws {
        let story = try ClubStory()
        let service = story.service
        let path = "/v1/clubs/\(story.club)/meetings/\(try story.meeting())"
        let watcher = try Watcher(service, path + "?fields=hasBegun", token: story.ben)
        #expect(watcher.wait(count: 1) && watcher.events[0].data.contains("\"hasBegun\":false"))
        let (coming, begun) = (
            try Watcher(service, "/v1/clubs/\(story.club)/meetings?hasBegun=false", token: story.ben),
            try Watcher(service, "/v1/clubs/\(story.club)/meetings?hasBegun=true", token: story.ben)
        )
        #expect(coming.wait(count: 1) && begun.wait(count: 1))
        // The meeting is moved to an earlier time while others wait for it.
        let soon = ISO8601DateFormatter().string(from: Date().addingTimeInterval(10))
        let moved = try service.send("PATCH", path, "{\"startsAt\":\"\(soon)\"}", token: story.ada)
        #expect(moved.status == 200 && moved["hasBegun"]?.bool == false)
        #expect(watcher.wait(count: 2) && watcher.events[1].data.contains("\"hasBegun\":true"))
        #expect(coming.wait { $0.names == ["snapshot", "updated", "leave"] }, "\(coming.names)")
        #expect(begun.wait { $0.names == ["snapshot", "enter"] }, "\(begun.names)")

        try story.choose()
        try story.createStanding(sharing: "exact")
        let start = try service.head(token: story.ben)
        let later = Date().addingTimeInterval(4)
        let due = ISO8601DateFormatter().string(from: later)
        _ = try story.meeting(startsAt: due)
        _ = try story.milestone("0.5", due: due)
        service.stop()
        // The time passes while no server runs.
        #expect(eventually { Date() >= later })
        try service.restart()
        let feed = try Watcher(service, "/v1/changes?after=\(start)", token: story.ben)
        #expect(feed.wait { $0.events.contains { $0.data.contains("\"hasBegun\":true") } })
        try service.restart()
        let events = try service.events(after: start, token: story.ben)
        #expect(events.filter { $0 == "meeting updated" }.count == 1)
        #expect(events.filter { $0 == "milestone updated" }.count == 1)
        #expect(try story.list("standings").first?["state"]?.string == "behind")
    }

    @Test("Answers to a meeting are stored, one for each member, and can be watched")
    func attendance() throws {
        let story = try ClubStory()
        let service = story.service
        let meeting = try story.meeting()
        let path = "/v1/clubs/\(story.club)/meetings/\(meeting)"
        let watcher = try Watcher(service, path + "/attendances", token: story.ada)
        #expect(watcher.wait(count: 1))
        #expect(try service.send("PUT", path + "/attendance", "{}", token: story.ben).pointers == ["/answer"])
        #expect(try service.send("PUT", path + "/attendance", "{\"answer\":\"maybe\"}", token: story.ben).status == 201)
        #expect(try service.send("PUT", path + "/attendance", "{\"answer\":\"yes\"}", token: story.ben).status == 200)
        let stale = try service.send(
            "PUT", path + "/attendance", "{\"answer\":\"no\"}", token: story.ben, fields: ["If-Match: \"00000000-1\""])
        #expect(stale.status == 412)
        let repeated = try service.send("PUT", path + "/attendance", "{\"answer\":\"yes\"}", token: story.ben)
        #expect(repeated.fields["lectern-unchanged"] == "true")
        #expect(watcher.wait(count: 3) && watcher.names == ["snapshot", "enter", "updated"])
        #expect(
            try service.send("DELETE", "/v1/clubs/\(story.club)/members/\(story.benID)", token: story.ben).status == 204
        )
        #expect(watcher.wait(count: 4) && watcher.names.last == "leave")
        #expect(try service.send("DELETE", path, token: story.ada).status == 204)
        #expect(try service.send("GET", path, token: story.ada).status == 404)
    }

    @Test("A meeting's members are validated one by one")
    func badMeetings() throws {
        let story = try ClubStory()
        let path = "/v1/clubs/\(story.club)/meetings"
        let time = "\"startsAt\":\"2090-12-01T18:30:00Z\""
        for (body, pointers) in [
            ("{}", ["/startsAt"]), ("{\"startsAt\":\"tomorrow\"}", ["/startsAt"]),
            ("{\(time),\"timeZone\":\"Mars/Olympus\"}", ["/timeZone"]), ("{\(time),\"minutes\":0}", ["/minutes"]),
            ("{\(time),\"link\":\"javascript:alert(1)\"}", ["/link"]),
            ("{\(time),\"position\":{\"progress\":0.5}}", ["/book"]),
            ("{\(time),\"book\":\"\(story.club)\"}", ["/book"]), ("{\(time),\"hasBegun\":true}", ["/hasBegun"]),
            ("{\(time),\"book\":\"\(story.book)\",\"position\":{\"page\":101}}", ["/position/page"]),
        ] {
            let answer = try story.service.send("POST", path, body, token: story.ada)
            #expect(answer.status == 422 && answer.pointers == pointers, "\(body): \(answer.text)")
        }
        let meeting = try story.meeting(
            ",\"timeZone\":\"Europe/Lisbon\",\"book\":\"\(story.book)\",\"position\":{\"page\":50}")
        let patched = try story.service.send("PATCH", "\(path)/\(meeting)", "{\"book\":null}", token: story.ada)
        #expect(patched["book"]?.isNull == true && patched["progress"]?.isNull == true)
        #expect(patched["timeZone"]?.string == "Europe/Lisbon")
    }

    @Test("A calendar is found only at its secret address, until it is revoked or the membership ends")
    func calendar() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        _ = try story.meeting(
            """
            ,"title":"The rope; and, so on","minutes":90,"agenda":"One\\nTwo","place":"\(String(repeating: "ä", count: 60))",
            "book":"\(story.book)","position":{"page":50},"link":"https://example.org/room"
            """)
        _ = try service.make(
            "/v1/clubs/\(story.club)/milestones",
            "{\"name\":\"Chapter 3\",\"position\":{\"page\":50},\"dueAt\":\"2090-01-01T00:00:00Z\"}", token: story.ada)
        let path = "/v1/clubs/\(story.club)/calendars"
        let made = try service.send("POST", path, token: story.ben)
        let address = made["path"]?.string ?? ""
        #expect(made.status == 201 && made.fields["cache-control"] == "no-store")
        #expect(try service.send("GET", path, token: story.ben)["items"]?.elements.first { _ in true }?["path"] == nil)
        let answer = try service.send("GET", address, token: "")
        #expect(answer.status == 200 && answer.fields["content-type"] == "text/calendar; charset=utf-8")
        #expect(answer.text.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"))
        let lines = answer.text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 } && lines.last == "" && !answer.text.contains("\r\r"))
        let unfolded = answer.text.replacingOccurrences(of: "\r\n ", with: "")
        for line in [
            "DTSTART:20901201T183000Z", "DURATION:PT90M", "SUMMARY:Tuesdays: The rope\\; and\\, so on",
            "LOCATION:\(String(repeating: "ä", count: 60))", "URL:https://example.org/room",
            "DESCRIPTION:Read Kindred up to 50 %\\, page 50.\\n\\nOne\\nTwo", "DTSTART:20900101T000000Z",
            "SUMMARY:Tuesdays: Kindred to Chapter 3",
        ] { #expect(unfolded.contains("\r\n\(line)\r\n"), "\(line)\n\(unfolded)") }
        #expect(
            try service.send("GET", address, token: "", fields: ["If-None-Match: \(answer.etag)"]).status == 304)
        #expect(try service.send("GET", address.replacingOccurrences(of: ".ics", with: "x.ics")).status == 404)
        #expect(try service.send("DELETE", "\(path)/\(made["id"]?.string ?? "")", token: story.ada).status == 404)
        #expect(try service.send("DELETE", "\(path)/\(made["id"]?.string ?? "")", token: story.ben).status == 204)
        #expect(try service.send("GET", address, token: "").status == 404)
        let second = try service.send("POST", path, token: story.ben)["path"]?.string ?? ""
        #expect(try service.send("GET", second, token: "").status == 200)
        _ = try service.send("DELETE", "/v1/clubs/\(story.club)/members/\(story.benID)", token: story.ben)
        #expect(try service.send("GET", second, token: "").status == 404)
    }

    @Test("Reactions are counted once for each reader, and only by readers who see the note")
    func reactions() throws {
        let story = try ClubStory()
        let service = story.service
        let hidden = try story.note("0.9")
        #expect(try service.send("PUT", "/v1/notes/\(hidden)/reactions/love", token: story.ben).status == 404)
        #expect(try service.send("GET", "/v1/notes/\(hidden)/reactions", token: story.ben).status == 404)
        let note = try story.note("0")
        let watcher = try Watcher(service, "/v1/notes/\(note)?fields=reactions", token: story.ada)
        #expect(watcher.wait(count: 1))
        let path = "/v1/notes/\(note)/reactions"
        #expect(try service.send("PUT", "\(path)/hate", token: story.ben).status == 400)
        let first = try service.send("PUT", "\(path)/love", token: story.ben)
        #expect(first.status == 200 && first["reactions"]?["love"]?.integer == 1)
        #expect(
            try service.send("PUT", "\(path)/love", token: story.ben).fields["lectern-unchanged"] == "true")
        #expect(try service.send("PUT", "\(path)/love", token: story.ada)["reactions"]?["love"]?.integer == 2)
        let who = try service.send("GET", path, token: story.ada)["items"]?.elements.map { $0["reader"]?.string } ?? []
        #expect(who.count == 2 && who.contains(story.benID))
        let page = try service.send("GET", "\(path)?limit=1", token: story.ada)
        let rest = try service.send("GET", "\(path)?limit=1&cursor=\(page["next"]?.string ?? "")", token: story.ada)
        let paged = [page, rest].map { $0["items"]?.elements.map { $0["reader"]?.string } ?? [] }
        #expect(paged == who.map { [$0] } && rest["next"]?.isNull == true)
        #expect(page.fields["link"]?.contains("&cursor=") == true && rest.fields["link"] == nil)
        #expect(try service.send("DELETE", "\(path)/love", token: story.ben)["reactions"]?["love"]?.integer == 1)
        #expect(watcher.wait(count: 4) && watcher.names == ["snapshot", "updated", "updated", "updated"])
        #expect(try service.send("DELETE", "/v1/notes/\(note)", token: story.ada).status == 204)
    }

    @Test("A listed club is found by everyone, and admits those whom its moderators admit")
    func requests() throws {
        let story = try ClubStory()
        let service = story.service
        let cem = try service.reader("Cem")
        let listing = "/v1/listings?club=\(story.club)"
        func listed() throws -> [String?] {
            try service.send("GET", listing, token: cem)["items"]?.elements.map { $0["description"]?.string } ?? []
        }
        let ask = "{\"club\":\"\(story.club)\"}"
        #expect(try listed() == [])
        #expect(try service.send("GET", "\(listing)&q=we", token: cem).status == 400)
        #expect(try service.send("POST", "/v1/requests", ask, token: cem).pointers == ["/club"])
        let found = try Watcher(service, "/v1/listings", token: cem)
        let alone = try Watcher(service, listing, token: cem)
        let cems = try Watcher(service, "/v1/changes", token: cem)
        let adas = try Watcher(service, "/v1/changes", token: story.ada)
        let bens = try Watcher(service, "/v1/changes", token: story.ben)
        #expect([found, alone, cems, adas, bens].allSatisfy { $0.wait(count: 1) })
        let other = try service.make("/v1/clubs", #"{"name":"Mondays","visibility":"listed"}"#)
        #expect(found.wait(count: 2) && found.events[1].data.contains(other))
        _ = try service.send(
            "PATCH", "/v1/clubs/\(story.club)", "{\"visibility\":\"listed\",\"description\":\"We read\"}",
            token: story.ada)
        #expect(found.wait(count: 3) && found.names == ["snapshot", "enter", "enter"])
        #expect(alone.wait(count: 2) && alone.names == ["snapshot", "enter"])
        #expect(try listed() == ["We read"])
        #expect(try service.send("GET", "/v1/clubs/\(story.club)", token: cem).status == 404)

        let asked = try service.send(
            "POST", "/v1/requests", "{\"club\":\"\(story.club)\",\"message\":\"please\"}", token: cem)
        #expect(asked.status == 201 && asked["state"]?.string == "waiting")
        #expect(try service.send("POST", "/v1/requests", ask, token: cem).status == 200)
        #expect(try service.send("POST", "/v1/requests", ask, token: story.ben).status == 409)
        for isReplay in [false, true] {
            let again = try service.send(
                "POST", "/v1/requests", ask, token: cem, fields: ["Idempotency-Key: again"])
            #expect(again.status == 200 && again.fields["lectern-unchanged"] == "true")
            #expect((again.fields["idempotency-replayed"] == "true") == isReplay)
        }
        let path = "/v1/requests?club=\(story.club)"
        #expect(try service.send("GET", path, token: story.ben).status == 403)
        let waiting = try service.send("GET", path, token: story.ada)["items"]?.elements.map { $0 } ?? []
        #expect(waiting.count == 1 && waiting[0]["message"]?.string == "please" && waiting[0]["name"]?.string == "Cem")
        let one = "/v1/requests/\(asked["id"]?.string ?? "")"
        for (token, status) in [(cem, 200), (story.ada, 200), (story.ben, 404)] {
            #expect(try service.send("GET", one, token: token).status == status)
        }
        #expect(try service.send("PATCH", one, "{\"state\":\"waiting\"}", token: story.ada).pointers == ["/state"])
        #expect(try service.send("PATCH", one, "{\"state\":\"accepted\"}", token: story.ben).status == 403)
        #expect(try service.send("PATCH", one, "{\"state\":\"accepted\"}", token: story.ada).status == 200)
        #expect(try service.send("PATCH", one, "{\"state\":\"declined\"}", token: story.ada).status == 409)
        #expect(try service.send("GET", "/v1/clubs/\(story.club)", token: cem).status == 200)
        func received(_ watcher: Watcher, _ kind: String) -> [String] {
            watcher.events.filter { $0.data.contains("\"resource\":\"\(kind)\"") }.map(\.name)
        }
        #expect(cems.wait { received($0, "member").count == 1 } && adas.wait { received($0, "member").count == 1 })
        #expect(
            received(cems, "joinRequest") == ["created", "updated"]
                && received(adas, "joinRequest") == ["created", "updated"])
        #expect(received(bens, "joinRequest") == [])
        let again = try Watcher(service, "/v1/changes", token: story.ada, lastEventID: adas.events[0].id)
        #expect(again.wait(count: adas.events.count - 1) && again.events == Array(adas.events.dropFirst()))

        let dan = try service.reader("Dan")
        let second = try service.make("/v1/requests", ask, token: dan)
        #expect(try service.send("DELETE", "/v1/requests/\(second)", token: cem).status == 404)
        let stale = try service.send(
            "DELETE", "/v1/requests/\(second)", token: dan, fields: ["If-Match: \"stale-9\""])
        #expect(stale.status == 412 && stale["current"]?["id"]?.string == second)
        #expect(try service.send("DELETE", "/v1/requests/\(second)", token: dan).status == 204)
        #expect(try service.send("GET", "/v1/requests", token: dan)["items"]?.elements.map { $0 }.isEmpty == true)
        let third = try service.make("/v1/requests", ask, token: dan)
        let start = try service.head(token: dan)
        _ = try service.send("PATCH", "/v1/clubs/\(story.club)", "{\"isArchived\":true}", token: story.ada)
        #expect(found.wait(count: 4) && found.names.last == "leave")
        #expect(try alone.wait(count: 3) && alone.names.last == "leave" && listed() == [])
        #expect(try service.send("DELETE", "/v1/clubs/\(story.club)", token: story.ada).status == 204)
        #expect(try service.events(after: start, token: dan) == ["listing deleted", "joinRequest deleted"])
        #expect(try service.send("DELETE", "/v1/requests/\(third)", token: dan).status == 404)
    }

    @Test("A moderator receives join requests from the start of the role until its end")
    func moderatorsFeed() throws {
        let story = try ClubStory(club: ",\"visibility\":\"listed\"")
        let service = story.service
        let feed = try Watcher(service, "/v1/changes", token: story.ben)
        #expect(feed.wait(count: 1))
        let member = "/v1/clubs/\(story.club)/members/\(story.benID)"
        func ask(_ name: String) throws {
            _ = try service.make("/v1/requests", "{\"club\":\"\(story.club)\"}", token: try service.reader(name))
        }
        try ask("Cem")
        _ = try service.send("PATCH", member, "{\"role\":\"moderator\"}", token: story.ada)
        try ask("Dan")
        _ = try service.send("PATCH", member, "{\"role\":\"member\"}", token: story.ada)
        try ask("Eve")
        let mark = try service.make("/v1/books", "{\"title\":\"The End\"}")
        #expect(feed.wait { $0.events.last?.data.contains(mark) ?? false })
        #expect(feed.events.filter { $0.data.contains("\"joinRequest\"") }.count == 1)
        #expect(feed.events.contains { $0.data.contains("\"name\":\"Dan\"") })
    }

    @Test("A subscriber of standings who falls behind gets each missed event once it reads again")
    func slow() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        try story.createStanding(sharing: "exact")
        let watcher = try Watcher(service, "/v1/clubs/\(story.club)/standings", token: story.ada, receiveBuffer: 2048)
        #expect(watcher.wait(count: 1))
        watcher.pause()
        let count = 600
        for number in 1...count {
            _ = try service.send(
                "POST", "/v1/readings/\(story.reading)/entries", "{\"progress\":\(Double(number) / 1000)}",
                token: story.ben, fields: ["Prefer: return=minimal"])
        }
        watcher.resume()
        #expect(watcher.wait { $0.events.last?.data.contains("\"progress\":0.6,") ?? false })
        #expect(watcher.names == ["snapshot"] + Array(repeating: "updated", count: count))
    }
}
