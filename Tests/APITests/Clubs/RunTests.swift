import API
import Foundation
import JSON
import SharedByTests
import Testing

extension ClubStory {
    /// Creates a run of the story's book, or another one, with these additional members.
    func run(_ members: String = "", of other: String? = nil, by token: String? = nil) throws -> String {
        try service.make(
            "/v1/clubs/\(club)/runs", "{\"book\":\"\(other ?? book)\"\(members)}", token: token ?? ada)
    }

    func change(_ run: String, _ body: String, by token: String? = nil) throws -> Answer {
        try service.send("PATCH", "/v1/clubs/\(club)/runs/\(run)", body, token: token ?? ada)
    }

    /// Returns the ids in a list of the club, as visible to Ada.
    func ids(_ list: String) throws -> [String] { try self.list(list).compactMap { $0["id"]?.string } }

    /// Creates a resource in a list of the club, and returns its id and the run it belongs to.
    func add(_ list: String, _ body: String, by token: String? = nil) throws -> (id: String, run: String?) {
        let path = list == "notes" ? "/v1/notes" : "/v1/clubs/\(club)/\(list)"
        let answer = try service.send("POST", path, body, token: token ?? ada)
        #expect(answer.status == 201, "\(answer.text)")
        return (answer["id"]?.string ?? "", answer["run"]?.string)
    }
}

extension OwnIDTests.Row {
    static let run = Self(
        path: "/v1/clubs/{club}/runs/{id}", body: "{\"book\":\"{book}\"}", patch: "{\"state\":\"planned\"}",
        other: "{\"book\":\"{book}\",\"state\":\"planned\"}", ends: "/v1/clubs/{club}/runs/{id}",
        events: ["run created"])
}

@Suite("Runs", .serialized, .ownThreads)
struct RunTests {
    private let due = "\"dueAt\":\"2090-01-01T00:00:00Z\""

    @Test("A book can be read again and in parallel, and plans, notes and readings belong to the named run")
    func again() throws {
        let story = try ClubStory()
        let service = story.service
        let first = try story.run(",\"state\":\"current\"")
        func note(_ members: String = "") throws -> (id: String, run: String?) {
            try story.add(
                "notes",
                "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"body\":\"x\",\"threshold\":\"everyone\"\(members)}"
            )
        }
        let old = (
            try story.add("milestones", "{\"position\":{\"progress\":0.5},\(due)}"), try note(),
            try story.add("meetings", "{\"startsAt\":\"2090-01-01T00:00:00Z\",\"book\":\"\(story.book)\"}")
        )
        #expect([old.0.run, old.1.run, old.2.run] == [first, first, first])
        try story.createStanding(sharing: "exact")
        #expect(
            try service.send("PATCH", "/v1/readings/\(story.reading)", "{\"state\":\"finished\"}", token: story.ben)
                .status == 200)
        #expect(try story.change(first, "{\"state\":\"read\"}")["state"]?.string == "read")

        let dawn = try service.make("/v1/books", "{\"title\":\"Dawn\"}")
        let (second, beside) = (
            try story.run(",\"state\":\"current\""), try story.run(",\"state\":\"current\"", of: dawn)
        )
        #expect(
            try story.ids("runs") == [first, second, beside] && story.ids("runs?state=current") == [second, beside])
        #expect(try story.ids("runs?book=\(dawn)&state=current") == [beside])
        let new = (
            try story.add("milestones", "{\"book\":\"\(story.book)\",\"position\":{\"progress\":0.25},\(due)}"),
            try note(),
            try story.add("meetings", "{\"startsAt\":\"2090-01-02T00:00:00Z\",\"book\":\"\(story.book)\"}")
        )
        #expect([new.0.run, new.1.run, new.2.run] == [second, second, second])
        let named = try story.add("milestones", "{\"run\":\"\(first)\",\"position\":{\"progress\":0.75},\(due)}")
        #expect(try named.run == first && note(",\"run\":\"\(first)\"").run == first)
        #expect(try note(",\"about\":\"\(old.0.id)\"").run == first)
        let reply = try service.send(
            "POST", "/v1/notes", "{\"replyTo\":\"\(old.1.id)\",\"body\":\"y\"}", token: story.ben)
        #expect(reply["run"]?.string == first)
        #expect(try story.ids("milestones?run=\(first)") == [old.0.id, named.id])
        #expect(try story.ids("milestones?run=\(second)") == [new.0.id] && story.ids("milestones?run=\(beside)") == [])
        #expect(try story.ids("meetings?run=\(second)&hasBegun=false") == [new.2.id])
        #expect(try story.ids("notes?run=\(second)") == [new.1.id] && story.ids("notes?run=\(first)").count == 4)
        let received = try service.send(
            "GET", "/v1/clubs/\(story.club)/meetings/\(new.2.id)/notes", token: story.ada)
        #expect(received["threads"]?.elements.map { $0["thread"]?.string } == [new.1.id])

        // Ben has finished the book with the club. He reads it again, and shares both readings.
        let again = try service.send(
            "POST", "/v1/clubs/\(story.club)/standings", "{\"book\":\"\(story.book)\"}", token: story.ben)
        #expect(again["run"]?.string == second && again["progress"]?.double == 0, "\(again.text)")
        let readings = try service.send("GET", "/v1/readings", token: story.ben)["items"]?.elements.map { $0 } ?? []
        #expect(readings.compactMap { $0["number"]?.integer }.sorted() == [1, 2])
        for run in [first, second] {
            let same = try service.send(
                "POST", "/v1/clubs/\(story.club)/standings", "{\"run\":\"\(run)\"}", token: story.ben)
            #expect(same.status == 200 && same["run"]?.string == run, "\(same.text)")
        }
        #expect(try story.list("standings?run=\(first)").map { $0["progress"]?.double } == [1])
        #expect(try story.list("standings").map { $0["run"]?.string } == [second])
        #expect(try story.list("standings?book=\(story.book)").count == 2)
    }

    @Test(
        "A member proposes and withdraws a run; moderators decide; a proposed run has no plan and cannot be read along"
    )
    func proposals() throws {
        let story = try ClubStory()
        let (service, path) = (story.service, "/v1/clubs/\(story.club)/runs")
        let dora = try service.reader("Dora")
        let feed = try Watcher(service, "\(path)?state=proposed", token: story.ada)
        #expect(feed.wait(count: 1))
        let proposal = try story.run(by: story.ben)
        let one = try service.send("GET", "\(path)/\(proposal)", token: story.ada)
        #expect(one["state"]?.string == "proposed" && one["proposedBy"]?.string == story.benID, "\(one.text)")
        for (method, body) in [("GET", nil), ("PATCH", "{}"), ("DELETE", nil)] {
            #expect(try service.send(method, "\(path)/\(proposal)", body, token: dora).status == 404)
        }
        #expect(try service.send("GET", path, token: dora).status == 404)
        #expect(try service.send("POST", path, "{\"book\":\"\(story.book)\"}", token: dora).status == 404)
        #expect(try story.change(proposal, "{\"state\":\"planned\"}", by: story.ben).status == 403)
        for members in [",\"state\":\"current\"", ",\"place\":0"] {
            let body = "{\"book\":\"\(story.book)\"\(members)}"
            #expect(try service.send("POST", path, body, token: story.ben).status == 403)
        }
        let milestone = "{\"run\":\"\(proposal)\",\"position\":{\"progress\":0.5},\(due)}"
        #expect(
            try service.send("POST", "/v1/clubs/\(story.club)/milestones", milestone, token: story.ada).pointers == [
                "/run"
            ])
        let along = "{\"book\":\"\(story.book)\"}"
        #expect(
            try service.send("POST", "/v1/clubs/\(story.club)/standings", along, token: story.ben).pointers == ["/book"]
        )
        #expect(try service.send("DELETE", "\(path)/\(proposal)", token: story.ben).status == 204)
        let (second, third) = (try story.run(by: story.ben), try story.run(by: story.ada))
        #expect(try service.send("DELETE", "\(path)/\(third)", token: story.ben).status == 403)
        #expect(try story.change(second, "{\"state\":\"planned\"}").status == 200)
        #expect(try story.change(second, "{\"state\":\"proposed\"}").pointers == ["/state"])
        #expect(try story.change(third, "{\"state\":\"dropped\"}").status == 200)
        #expect(try service.send("DELETE", "\(path)/\(second)", token: story.ben).status == 403)
        #expect(feed.wait(count: 7) && feed.names.suffix(6) == ["enter", "leave", "enter", "enter", "leave", "leave"])
        #expect(try story.ids("runs") == [second, third])
        for _ in 0..<20 { _ = try story.run(by: story.ben) }
        let full = try service.send("POST", path, "{\"book\":\"\(story.book)\"}", token: story.ben)
        #expect(full.status == 409 && full["limit"]?["name"]?.string == "proposalsOfMemberMax", "\(full.text)")
        try story.remove(story.ben)
        #expect(try story.list("runs?state=proposed").allSatisfy { $0["proposedBy"]?.string == story.benID })
    }

    @Test("With several current runs a request must name one; the violation lists them")
    func ambiguous() throws {
        let story = try ClubStory()
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        let dawn = try service.make("/v1/books", "{\"title\":\"Dawn\"}")
        let first = try story.run(",\"state\":\"current\"")
        let second = try story.run(",\"state\":\"current\"")
        let other = try story.run(",\"state\":\"current\"", of: dawn)
        let (book, note) = ("\"book\":\"\(story.book)\"", "\"club\":\"\(story.club)\",\"threshold\":\"everyone\"")
        let entries = "/v1/readings/\(story.reading)/entries"
        let own = try service.make("/v1/notes", "{\(book),\"body\":\"x\"}", token: story.ben)
        /// The requests that name no run, each with the member that can name one.
        let requests: [(method: String, path: String, members: String, at: String)] = [
            ("POST", "\(club)/milestones", "\(book),\"position\":{\"progress\":0.5},\(due)", ""),
            ("POST", "\(club)/standings", book, ""),
            ("POST", "\(club)/meetings", "\(book),\"startsAt\":\"2090-01-01T00:00:00Z\"", ""),
            ("POST", "/v1/notes", "\(book),\(note),\"body\":\"x\"", ""),
            ("POST", entries, "\"progress\":0.2,\"note\":{\"body\":\"x\",\(note)", "/note"),
            ("PATCH", "/v1/notes/\(own)", "\"club\":\"\(story.club)\"", ""),
        ]
        for (method, path, members, at) in requests {
            let token = path.hasPrefix(club) ? story.ada : story.ben
            let end = at.isEmpty ? "}" : "}}"
            let answer = try service.send(method, path, "{\(members)\(end)", token: token)
            #expect(answer.status == 422 && answer.pointers == ["\(at)/run"], "\(path): \(answer.text)")
            #expect(answer.text.contains(first) && answer.text.contains(second), "\(answer.text)")
            #expect(!answer.text.contains(other), "\(answer.text)")
            let named = try service.send(method, path, "{\(members),\"run\":\"\(first)\"\(end)", token: token)
            #expect([200, 201].contains(named.status), "\(path): \(named.text)")
        }
        // Without a book, the request concerns all current runs of the club.
        for (path, members) in [("milestones", "\"position\":{\"progress\":0.5},\(due)"), ("standings", "")] {
            let answer = try service.send("POST", "\(club)/\(path)", "{\(members)}", token: story.ada)
            #expect(answer.pointers == ["/run"] && answer.text.contains(other), "\(answer.text)")
        }
        #expect(try story.change(second, "{\"state\":\"read\"}").status == 200)
        #expect(try story.add("milestones", "{\(book),\"position\":{\"progress\":0.5},\(due)}").run == first)
        #expect(try story.add("notes", "{\"book\":\"\(dawn)\",\(note),\"body\":\"x\"}").run == other)
    }

    @Test("A note names a run only when it is shared in a club")
    func runOfPrivateNote() throws {
        let story = try ClubStory()
        let run = try story.run(",\"state\":\"current\"")
        let service = story.service
        let note = try service.make("/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"x\"}", token: story.ben)
        func patch(_ members: String) throws -> Answer {
            try service.send("PATCH", "/v1/notes/\(note)", "{\(members)\"run\":\"\(run)\"}", token: story.ben)
        }
        #expect(try patch("").pointers == ["/run"])
        let shared = try patch("\"club\":\"\(story.club)\",")
        #expect(shared.status == 200 && shared["run"]?.string == run, "\(shared.text)")
        #expect(try patch("").pointers == ["/run"])
    }

    @Test(
        "A run has dates and an edition, from which the club's target position follows, and cannot be deleted while in use"
    )
    func editions() throws {
        let story = try ClubStory()
        let service = story.service
        let edition = try service.make(
            "/v1/books/\(story.book)/editions",
            "{\"format\":\"paper\",\"length\":220,\"storyStart\":21,\"storyEnd\":220}")
        let dawn = try service.make("/v1/books", "{\"title\":\"Dawn\"}")
        let run = try story.run(
            ",\"state\":\"current\",\"edition\":\"\(edition)\",\"startsAt\":\"2026-01-02T00:00:00Z\"")
        let milestone = try service.send(
            "POST", "/v1/clubs/\(story.club)/milestones", "{\"position\":{\"page\":121},\(due)}", token: story.ada)
        #expect(milestone["page"]?.integer == 121 && milestone["progress"]?.double != 1, "\(milestone.text)")
        #expect(try service.send("DELETE", "/v1/editions/\(edition)").status == 409)
        for (body, pointer) in [
            ("{\"endsAt\":\"2026-01-01T00:00:00Z\"}", "/endsAt"), ("{\"edition\":\"\(dawn)\"}", "/edition"),
            ("{\"state\":\"maybe\"}", "/state"), ("{\"book\":\"\(dawn)\"}", "/book"),
        ] { #expect(try story.change(run, body).pointers == [pointer], "\(body)") }
        let changed = try story.change(run, "{\"endsAt\":\"2026-02-02T00:00:00Z\",\"edition\":null}")
        #expect(changed.status == 200 && changed["edition"] == nil && changed["endsAt"] != nil, "\(changed.text)")
        #expect(try service.send("DELETE", "/v1/editions/\(edition)").status == 204)
        for (list, body) in [
            ("milestones", "{\"run\":\"\(dawn)\",\"position\":{\"progress\":1},\(due)}"),
            ("standings", "{\"run\":\"\(dawn)\"}"),
            ("milestones", "{\"run\":\"\(run)\",\"book\":\"\(dawn)\",\"position\":{\"progress\":1},\(due)}"),
            ("meetings", "{\"run\":\"\(run)\",\"book\":\"\(dawn)\",\"startsAt\":\"2090-01-01T00:00:00Z\"}"),
        ] {
            let answer = try service.send("POST", "/v1/clubs/\(story.club)/\(list)", body, token: story.ada)
            #expect(answer.pointers == ["/run"], "\(answer.text)")
        }
        let alone = "{\"run\":\"\(run)\",\"startsAt\":\"2090-01-01T00:00:00Z\"}"
        #expect(
            try service.send("POST", "/v1/clubs/\(story.club)/meetings", alone, token: story.ada).pointers == ["/book"])
        let own = "{\"run\":\"\(run)\",\"book\":\"\(story.book)\",\"body\":\"x\"}"
        #expect(try service.send("POST", "/v1/notes", own, token: story.ada).pointers == ["/run"])
        for list in ["milestones", "standings", "notes"] {
            let both = "/v1/clubs/\(story.club)/\(list)?run=\(run)&book=\(story.book)"
            #expect(try service.send("GET", both, token: story.ada).status == 400)
            let none = "/v1/clubs/\(story.club)/\(list)?run=\(dawn)"
            #expect(try service.send("GET", none, token: story.ada).status == 404)
        }
    }

    @Test("A meeting changes its run with its book, and can name an ended one; streams of a run end with it")
    func meetings() throws {
        let story = try ClubStory()
        let service = story.service
        let (first, second) = (try story.run(",\"state\":\"read\""), try story.run(",\"state\":\"current\""))
        let meeting = try story.meeting(",\"book\":\"\(story.book)\"")
        let path = "/v1/clubs/\(story.club)/meetings/\(meeting)"
        func patch(_ body: String) throws -> String? {
            let answer = try service.send("PATCH", path, body, token: story.ada)
            #expect(answer.status == 200, "\(answer.text)")
            return answer["run"]?.string
        }
        let lists = try [first, second].map {
            try Watcher(service, "/v1/clubs/\(story.club)/meetings?run=\($0)", token: story.ben)
        }
        for list in lists { #expect(list.wait(count: 1)) }
        #expect(try patch("{\"title\":\"x\"}") == second && patch("{\"run\":\"\(first)\"}") == first)
        #expect(lists[1].wait(count: 3) && lists[1].names == ["snapshot", "updated", "leave"])
        #expect(lists[0].wait(count: 2) && lists[0].names == ["snapshot", "enter"])
        #expect(try patch("{\"run\":null}") == nil && story.ids("meetings?run=\(first)") == [])
        #expect(try patch("{\"book\":null}") == nil)
        #expect(try patch("{\"book\":\"\(story.book)\"}") == second)
        #expect(try service.send("DELETE", "/v1/clubs/\(story.club)/runs/\(second)", token: story.ada).status == 204)
        #expect(lists[1].wait { $0.isEnded })
        #expect(try patch("{\"title\":\"y\"}") == second)
        #expect(!lists[0].isEnded && lists[0].names == ["snapshot", "enter", "leave"])
    }
}
