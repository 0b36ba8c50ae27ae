import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

/// A club of Ada, who owns it, Mia, who moderates it, and the members Ben and Cem. Dan is not a member.
struct AudienceStory {
    let club: ClubStory
    let mia: String
    let cem: String
    let dan: String
    let cemID: String

    var service: TestService { club.service }
    var path: String { "/v1/clubs/\(club.club)" }

    init(club fields: String = "") throws {
        club = try ClubStory(club: fields)
        let service = club.service
        (mia, cem, dan) = (try service.reader("Mia"), try service.reader("Cem"), try service.reader("Dan"))
        for token in [mia, cem] { try club.join(token) }
        cemID = try service.send("GET", "/v1/me", token: cem)["id"]?.string ?? ""
        let mias = try service.send("GET", "/v1/me", token: mia)["id"]?.string ?? ""
        try make(mias, "moderator")
    }

    func make(_ reader: String, _ role: String) throws {
        let answer = try service.send("PATCH", "\(path)/members/\(reader)", "{\"role\":\"\(role)\"}", token: club.ada)
        #expect(answer.status == 200)
    }

    /// Creates a note of a reader, by default at the beginning of the book.
    func note(_ token: String, _ fields: String, body: String = "words", progress: String = "0") throws -> String {
        let body = "{\"book\":\"\(club.book)\",\"position\":{\"progress\":\(progress)},\"body\":\"\(body)\"\(fields)}"
        return try service.make("/v1/notes", body, token: token)
    }

    var toModerators: String { ",\"club\":\"\(club.club)\",\"audience\":\"moderators\"" }

    func patch(_ note: String, _ body: String, _ token: String) throws -> Answer {
        try service.send("PATCH", "/v1/notes/\(note)", body, token: token)
    }

    /// Returns the places where a reader finds a note, of all possible ones.
    func places(of note: String, _ token: String, query: String = "q=words") throws -> [String] {
        var places: [String] = []
        if try service.send("GET", "/v1/notes/\(note)", token: token).status == 200 { places.append("note") }
        for list in ["", "?\(query)", "?thread=\(note)", "?book=\(club.book)"] {
            let answer = try service.send("GET", "\(path)/notes\(list)", token: token)
            if answer.text.contains(note) { places.append("list\(list.prefix(2))") }
        }
        if try service.send("GET", "/v1/changes?limit=100&after=\(head)", token: token).text.contains(note) {
            places.append("changes")
        }
        return places
    }

    /// A cursor before the first change.
    private var head: String {
        get throws {
            let epoch = try service.head(token: dan).split(separator: "-")[0]
            return "\(epoch)-0"
        }
    }
}

@Suite("The audience of notes", .serialized, .ownThreads)
struct AudienceTests {
    private static let everywhere = ["note", "list", "list?q", "list?t", "list?b", "changes"]

    private func ids(_ watcher: Watcher, _ name: String) -> [String] {
        watcher.events.filter { $0.name == name }.compactMap {
            (try? JSONDocument(Array($0.data.utf8)).root)?["id"]?.string
        }
    }

    @Test("A note for moderators is visible to them, its author, and in replies to it, and nowhere to others")
    func moderators() throws {
        let story = try AudienceStory(club: ",\"countsAhead\":true")
        let (service, club) = (story.service, story.club)
        let meeting = try club.meeting(",\"book\":\"\(club.book)\"")
        let cems = try Watcher(service, "\(story.path)/notes", token: story.cem)
        let mias = try Watcher(service, "\(story.path)/notes", token: story.mia)
        #expect(cems.wait(count: 1) && mias.wait(count: 1))
        let note = try story.note(club.ben, story.toModerators)
        let reply = try service.make("/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"words, too\"}", token: story.mia)
        for token in [club.ada, story.mia, club.ben] {
            #expect(try story.places(of: note, token) == Self.everywhere)
            let answer = try service.send("GET", "/v1/notes/\(reply)", token: token)
            #expect(answer.status == 200 && answer["audience"]?.string == "moderators")
        }
        for token in [story.cem, story.dan, service.token] {
            #expect(try story.places(of: note, token) == [] && story.places(of: reply, token) == [])
        }
        for (method, path, body) in [
            ("PATCH", "/\(note)", "{\"body\":\"x\"}"), ("DELETE", "/\(note)", nil),
            ("POST", "", "{\"replyTo\":\"\(note)\",\"body\":\"x\"}"), ("PUT", "/\(note)/reactions/love", nil),
            ("GET", "/\(note)/reactions", nil),
        ] {
            let path = "/v1/notes\(path)"
            #expect(try service.send(method, path, body, token: story.cem).status == 404, "\(method) \(path)")
        }
        #expect(try service.send("GET", "\(story.path)/notes", token: story.cem)["ahead"]?.integer == 0)
        let talk = "\(story.path)/meetings/\(meeting)/notes"
        #expect(try !service.send("GET", talk, token: story.cem).text.contains(note))
        #expect(try service.send("GET", talk, token: story.mia).text.contains(note))
        // The next note for everyone reaches Cem; no earlier one did.
        let mark = try story.note(club.ada, ",\"club\":\"\(club.club)\"", body: "mark")
        #expect(cems.wait { $0.events.last?.data.contains(mark) ?? false } && mias.wait(count: 5))
        #expect(cems.names == ["snapshot", "enter"] && ids(mias, "enter") == [note, reply, mark])
    }

    @Test("A note for moderators has the same threshold as others, and only moderators count it as locked")
    func opening() throws {
        let story = try AudienceStory(club: ",\"countsAhead\":true")
        let (service, club) = (story.service, story.club)
        let note = try story.note(club.ben, story.toModerators, progress: "0.5")
        func ahead(_ token: String) throws -> Int64? {
            try service.send("GET", "\(story.path)/notes", token: token)["ahead"]?.integer
        }
        #expect(try ahead(story.mia) == 1 && ahead(story.cem) == 0)
        #expect(try story.places(of: note, story.mia) == [])
        let (mias, cems) = (
            try service.make("/v1/readings", "{\"book\":\"\(club.book)\"}", token: story.mia),
            try service.make("/v1/readings", "{\"book\":\"\(club.book)\"}", token: story.cem)
        )
        let start = try (service.head(token: story.mia), service.head(token: story.cem))
        _ = try service.make("/v1/readings/\(mias)/entries", "{\"progress\":0.6}", token: story.mia)
        _ = try service.make("/v1/readings/\(cems)/entries", "{\"progress\":0.6}", token: story.cem)
        #expect(try service.events(after: start.0, token: story.mia).last == "note unlocked")
        #expect(try service.events(after: start.1, token: story.cem) == ["entry created", "reading updated"])
        #expect(try story.places(of: note, story.mia) == Self.everywhere && story.places(of: note, story.cem) == [])
    }

    @Test(
        "A private note is shared later with moderators and then the club: each new viewer gets one event, and nothing from before"
    )
    func sharing() throws {
        let story = try AudienceStory()
        let (service, club) = (story.service, story.club)
        let note = try story.note(club.ben, "", body: "secret words")
        #expect(try story.patch(note, "{\"body\":\"hidden words\"}", club.ben).status == 200)
        let watchers = try [club.ben, story.mia, story.cem].map {
            try Watcher(service, "\(story.path)/notes", token: $0)
        }
        let own = try Watcher(service, "/v1/notes/\(note)", token: club.ben)
        #expect(watchers.allSatisfy { $0.wait(count: 1) } && own.wait(count: 1))
        let shared = try story.patch(note, "{\"club\":\"\(club.club)\",\"audience\":\"moderators\"}", club.ben)
        #expect(shared.status == 200 && shared["audience"]?.string == "moderators")
        #expect(shared["authorName"]?.string == "Ben" && shared["club"]?.string == club.club)
        #expect(try story.places(of: note, story.mia) == Self.everywhere)
        #expect(try story.places(of: note, story.cem) == [])
        #expect(try story.patch(note, "{\"body\":\"open words\"}", club.ben).status == 200)
        let wide = try story.patch(note, "{\"audience\":\"club\"}", club.ben)
        #expect(wide.status == 200 && wide["audience"] == nil)
        #expect(try story.places(of: note, story.cem) == Self.everywhere)
        let mark = try story.note(club.ada, ",\"club\":\"\(club.club)\"", body: "mark")
        for watcher in watchers { #expect(watcher.wait { $0.events.last?.data.contains(mark) ?? false }) }
        #expect(own.wait(count: 4) && own.names == ["snapshot", "updated", "updated", "updated"])
        #expect(watchers[0].names == ["snapshot", "enter", "updated", "updated", "enter"])
        #expect(watchers[1].names == ["snapshot", "unlocked", "updated", "updated", "enter"])
        #expect(watchers[2].names == ["snapshot", "unlocked", "enter"])
        for (watcher, token) in zip(watchers, [club.ben, story.mia, story.cem]) {
            let again = try Watcher(service, "\(story.path)/notes", token: token, lastEventID: watcher.events[0].id)
            #expect(again.wait(count: watcher.events.count - 1))
            #expect(again.events == Array(watcher.events.dropFirst()))
        }
        let received = watchers[2].events.map(\.data).joined()
        #expect(!received.contains("secret") && !received.contains("hidden") && received.contains("open words"))
    }

    @Test("Only the author can widen a note's audience, in one club, and not beyond that of the note it replies to")
    func widening() throws {
        let story = try AudienceStory()
        let (service, club) = (story.service, story.club)
        let own = try story.note(club.ben, "")
        let answer = try service.make("/v1/notes", "{\"replyTo\":\"\(own)\",\"body\":\"more\"}", token: club.ben)
        let other = try service.make("/v1/clubs", "{\"name\":\"Mondays\"}", token: club.ada)
        for (note, body, pointer) in [
            (own, "{\"audience\":\"club\"}", "/club"), (own, "{\"club\":\"\(other)\"}", "/club"),
            (own, "{\"club\":\"\(club.club)\",\"audience\":\"me\"}", "/audience"),
            (own, "{\"audience\":\"everyone\"}", "/audience"), (answer, "{\"club\":\"\(club.club)\"}", "/audience"),
        ] { #expect(try story.patch(note, body, club.ben).pointers == [pointer], "\(body)") }
        for body in ["{\"club\":null}", "{\"audience\":\"me\"}"] {
            #expect(try story.patch(own, body, club.ben).fields["lectern-unchanged"] == "true")
        }
        #expect(try story.patch(own, "{\"club\":\"\(club.club)\"}", club.ben).status == 200)
        #expect(try story.patch(answer, "{\"club\":\"\(club.club)\"}", club.ben).status == 200)
        for (body, pointer) in [
            ("{\"club\":null}", "/club"), ("{\"audience\":\"me\"}", "/audience"),
            ("{\"audience\":\"moderators\"}", "/audience"), ("{\"club\":\"\(other)\"}", "/club"),
        ] { #expect(try story.patch(own, body, club.ben).pointers == [pointer], "\(body)") }
        let narrow = try story.note(club.ben, story.toModerators)
        for token in [club.ada, story.mia] {
            #expect(try story.patch(narrow, "{\"audience\":\"club\"}", token).status == 403)
        }
        for fields in [",\"audience\":\"club\"", ",\"audience\":\"me\",\"club\":\"\(club.club)\""] {
            let body = "{\"book\":\"\(club.book)\",\"body\":\"x\"\(fields)}"
            #expect(try service.send("POST", "/v1/notes", body, token: club.ben).status == 422)
        }
    }

    @Test("A new moderator sees the notes for moderators from then on, and a former one does not")
    func roles() throws {
        let story = try AudienceStory()
        let (service, club) = (story.service, story.club)
        let (note, ahead) = (
            try story.note(club.ben, story.toModerators), try story.note(club.ben, story.toModerators, progress: "0.5")
        )
        let own = try story.note(story.cem, story.toModerators)
        let list = try Watcher(service, "\(story.path)/notes", token: story.cem)
        #expect(list.wait(count: 1))
        let start = try service.head(token: story.cem)
        try story.make(story.cemID, "moderator")
        #expect(try story.places(of: note, story.cem) == Self.everywhere && story.places(of: ahead, story.cem) == [])
        #expect(try story.patch(note, "{\"body\":\"other words\"}", club.ben).status == 200)
        try story.make(story.cemID, "member")
        #expect(try service.send("GET", "/v1/notes/\(note)", token: story.cem).status == 404)
        #expect(try service.send("GET", "/v1/notes/\(own)", token: story.cem).status == 200)
        #expect(try story.patch(note, "{\"body\":\"no words\"}", club.ben).status == 200)
        let mark = try story.note(club.ada, ",\"club\":\"\(club.club)\"", body: "mark")
        #expect(list.wait { $0.events.last?.data.contains(mark) ?? false })
        #expect(list.names == ["snapshot", "unlocked", "updated", "leave", "enter"])
        let received = try service.send("GET", "/v1/changes?limit=100&after=\(start)", token: story.cem).text
        #expect(!received.contains("other words") && !received.contains("no words"))
    }

    @Test("A note that is shared with the club while a member moderates it stays visible to them when their role ends")
    func widenedMeanwhile() throws {
        let story = try AudienceStory()
        let (service, club) = (story.service, story.club)
        let note = try story.note(club.ben, story.toModerators)
        let list = try Watcher(service, "\(story.path)/notes", token: story.cem)
        let feed = try Watcher(service, "/v1/changes", token: story.cem)
        #expect(list.wait(count: 1) && feed.wait(count: 1))
        try story.make(story.cemID, "moderator")
        #expect(try story.patch(note, "{\"audience\":\"club\"}", club.ben).status == 200)
        try story.make(story.cemID, "member")
        #expect(try story.places(of: note, story.cem) == Self.everywhere)
        let mark = try story.note(club.ada, ",\"club\":\"\(club.club)\"", body: "mark")
        #expect(list.wait { $0.events.last?.data.contains(mark) ?? false })
        #expect(list.names == ["snapshot", "unlocked", "updated", "leave", "unlocked", "enter"])
        // A replay brings the note, too, from before the role began and from within it.
        for (number, names) in [(0, ["unlocked", "enter"]), (1, ["leave", "unlocked", "enter"])] {
            let again = try Watcher(
                service, "\(story.path)/notes", token: story.cem, lastEventID: list.events[number].id)
            #expect(again.wait { $0.events.last?.data.contains(mark) ?? false })
            #expect(again.events.last { $0.data.contains(note) }?.name == "unlocked", "\(again.names), not \(names)")
        }
    }
}
