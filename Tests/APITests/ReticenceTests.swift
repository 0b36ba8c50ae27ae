import JSON
import SharedByTests
import Testing

/// Clubs in which a note opens no earlier than at what its author knows: how far that is nobody is told.
@Suite("Notes that do not tell where they open", .serialized, .ownThreads)
struct ReticenceTests {
    /// Ada's club in which Ben knows the book as far as 0.637, and Cem reads it.
    private struct House {
        let story: ClubStory
        let cem: String
        let reading: String
        var service: TestService { story.service }

        init() throws {
            story = try ClubStory(club: #","hindsight":"known""#)
            cem = try story.service.reader("Cem")
            try story.join(cem)
            let known = #"{"through":{"progress":0.637}}"#
            let path = "/v1/books/\(story.book)/knowledge"
            #expect(try story.service.send("PUT", path, known, token: story.ben).status == 201)
            reading = try story.service.make("/v1/readings", #"{"book":"\#(story.book)"}"#, token: cem)
        }

        func note(_ more: String = "", as token: String? = nil) throws -> Answer {
            let body = #"{"book":"\#(story.book)","club":"\#(story.club)","progress":0.1,"body":"x"\#(more)}"#
            return try service.send("POST", "/v1/notes", body, token: token ?? story.ben)
        }

        func raise(_ note: String, _ body: String, by token: String? = nil) throws -> Answer {
            try service.send("PATCH", "/v1/notes/\(note)", body, token: token ?? story.ada)
        }

        func read(_ progress: String) throws {
            _ = try service.make("/v1/readings/\(reading)/entries", #"{"progress":\#(progress)}"#, token: cem)
        }

        func sees(_ note: String) throws -> Bool {
            try service.send("GET", "/v1/notes/\(note)", token: cem).status == 200
        }
    }

    private func isSilent(_ text: String) -> Bool { !text.contains("opensAt") && !text.contains("\"opens\"") }

    @Test("None of them says it, whatever its author knows and to whomever, also of those that are shared there later")
    func silence() throws {
        let house = try House()
        let (service, story) = (house.service, house.story)
        let start = try service.head(token: story.ada)
        var notes: [String] = []
        for (more, token) in [
            ("", story.ben), ("", story.ada), (#","opens":"finished""#, story.ben),
            (#","opens":"everyone""#, story.ada),
        ] {
            let note = try house.note(more, as: token)
            #expect(note.status == 201 && isSilent(note.text), "\(note.text)")
            notes.append(note["id"]?.string ?? "")
        }
        let entry = #"{"progress":0.2,"note":{"body":"of an entry","club":"\#(story.club)"}}"#
        let made = try service.send("POST", "/v1/readings/\(story.reading)/entries", entry, token: story.ben)
        notes.append(made["noteId"]?.string ?? made.text)
        let own = try service.make(
            "/v1/notes", #"{"book":"\#(story.book)","progress":0.1,"body":"mine"}"#, token: story.ben)
        let shared = try service.send("PATCH", "/v1/notes/\(own)", #"{"club":"\#(story.club)"}"#, token: story.ben)
        #expect(shared.status == 200 && isSilent(shared.text), "\(shared.text)")
        notes.append(own)
        let free = #"{"hindsight":"place"}"#
        #expect(try service.send("PATCH", "/v1/clubs/\(story.club)", free, token: story.ada).status == 200)
        let reply = try service.send("POST", "/v1/notes/\(notes[0])/replies", #"{"body":"r"}"#, token: story.ben)
        #expect(reply.status == 201 && isSilent(reply.text), "\(reply.text)")
        try house.read("1")
        for note in notes { #expect(isSilent(try service.send("GET", "/v1/notes/\(note)", token: house.cem).text)) }
        let log = try service.send("GET", "/v1/changes?limit=100&after=\(start)", token: house.cem)
        #expect(log.text.contains(notes[0]) && isSilent(log.text), "\(log.text)")
        #expect(try !isSilent(house.note().text))
    }

    @Test("They open no earlier than at what their author knows, and whoever lets one open later hears nothing of it")
    func raising() throws {
        let house = try House()
        let made = try house.note()
        let note = made["id"]?.string ?? ""
        try house.read("0.63")
        #expect(try !house.sees(note))
        let reply = try house.service.send(
            "POST", "/v1/notes/\(note)/replies", #"{"body":"r"}"#, token: house.story.ben)
        try house.read("0.64")
        #expect(try house.sees(note) && house.sees(reply["id"]?.string ?? ""))
        let list = try Watcher(house.service, "/v1/clubs/\(house.story.club)/notes", token: house.cem)
        #expect(list.wait(count: 1))
        for (share, isThere) in [("0.2", true), ("0.65", true), ("0.7", false), ("0.8", false)] {
            let raised = try house.raise(note, #"{"opensAt":\#(share)}"#, by: house.story.ben)
            #expect(raised.status == 200 && raised.etag == made.etag, "\(share): \(raised.text)")
            #expect(raised.fields["lectern-unchanged"] == "true" && raised["body"] == made["body"])
            #expect(try house.sees(note) == isThere, "\(share)")
        }
        #expect(list.wait(count: 3) && list.names == ["snapshot", "leave", "leave"], "\(list.names)")
        #expect(list.events.dropFirst().allSatisfy { $0.data.contains("\"moved\"") })
        let edited = try house.raise(note, #"{"body":"y","opens":"finished"}"#, by: house.story.ben)
        #expect(edited.status == 200 && edited["body"]?.string == "y" && edited.etag != made.etag)
        try house.read("0.99")
        #expect(try !house.sees(note))
        try house.read("1")
        #expect(try house.sees(note))
    }

    @Test("Who was away while one was let open later is told of it all the same, having come so far")
    func away() throws {
        let house = try House()
        let start = try house.service.head(token: house.cem)
        try house.read("0.7")
        let note = try house.note()["id"]?.string ?? ""
        try house.read("0.9")
        #expect(try house.raise(note, #"{"opensAt":0.8}"#, by: house.story.ben).status == 200)
        #expect(try house.sees(note))
        let log = try house.service.send("GET", "/v1/changes?limit=100&after=\(start)", token: house.cem)
        let told = log["items"]?.elements.filter { $0["id"]?.string == note }.compactMap { $0["change"]?.string }
        #expect(told == ["created"], "\(log.text)")
    }

    @Test(
        "In another house they tell as little, and open where they did; an account has the notes of its reader as private ones"
    )
    func moved() throws {
        let house = try House()
        let note = try house.note()["id"]?.string ?? ""
        let lines = try house.service.lines("/v1/admin/export")
        #expect(
            lines.contains { $0.contains(note) && $0.contains(#""opensAtUntold":687000,"isReticent":1"#) }, "\(lines)")
        let to = try TestService()
        let body = Array(lines.dropFirst().dropLast())
        #expect(try to.bring(body)["refused"]?.elements.contains { _ in true } == false)
        for text in [try to.lines("/v1/admin/export"), lines].map({ $0.first { $0.contains(note) } }) {
            #expect(text == lines.first { $0.contains(note) })
        }
        #expect(try to.bring(body)["unchanged"]?.integer == Int64(body.count))
        try house.read("0.7")
        let answer = try house.service.make("/v1/notes/\(note)/replies", #"{"body":"r"}"#, token: house.cem)
        let own = try house.service.lines("/v1/me/export", token: house.cem).first { $0.contains(answer) }
        let line = try #require(own)
        for member in ["isReticent", "frame", "frameAt", "depth", "chaptersAt", "opensAtUntold"] {
            #expect(!line.contains("\"\(member)\""), "\(line)")
        }
    }
}
