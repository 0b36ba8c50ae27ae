import JSON
import SharedByTests
import Testing

/// The story of two readers in distant time zones who want no spoilers.
@Suite("Two readers with one book", .serialized, .ownThreads)
struct BuddyStoryTests {
    static func both(_ words: String) -> [String: String] { .init(words, by: ["yuki", "noa"]) }
    static func everybody(_ words: String) -> [String: String] { .init(words, by: ["yuki", "noa", "kit"]) }

    @Test(
        "Each member reads by the days of their time zone, and gets no event of a note that they have not reached",
        arguments: [false, true])
    func story(hearsNoise: Bool) throws {
        let story = try StoryScript("yuki", "noa", "kit", hearsNoise: hearsNoise)
        try choose(story)
        try plan(story)
        try read(story)
        try addMore(story)
        try readBeside(story)
        try end(story)
    }

    private func choose(_ story: StoryScript) throws {
        try story.step(
            "yuki", "POST /v1/books", #"{"title":"The Memory Police"}"#, 201, Self.everybody("book created"),
            makes: "book")
        try story.step(
            "yuki", "POST /v1/clubs", #"{"name":"Us","slack":0.1,"defaultShares":"nothing"}"#, 201,
            ["yuki": "member created, club created, membership created"], makes: "club")
        let invitation = try story.step(
            "yuki", "POST /v1/clubs/{club}/invitations", #"{"usesMax":1}"#, 201, ["yuki": "invitation created"])
        let code = #"{"invitation":"\#(invitation["code"]?.string ?? "")"}"#
        let shown = try story.step("noa", "POST /v1/links/preview", code, 200)
        #expect(shown["shares"]?.string == "nothing" && shown["sharesWithModerators"]?.isNull == true)
        try story.step(
            "noa", "POST /v1/memberships", code, 201,
            ["yuki": "member created, invitation updated", "noa": "member created, membership created"])
        try story.step("kit", "POST /v1/memberships", code, 422)
        for (name, zone) in [("yuki", "Pacific/Kiritimati"), ("noa", "Pacific/Pago_Pago")] {
            try story.step(
                name, "PATCH /v1/settings", #"{"timeZone":"\#(zone)"}"#, 200, [name: "settings updated"])
        }
        try story.step(
            "noa", "POST /v1/clubs/{club}/runs", #"{"book":"{book}"}"#, 201, Self.both("run created"),
            makes: "run")
        try story.step(
            "yuki", "PATCH /v1/clubs/{club}/runs/{run}", #"{"state":"current"}"#, 200, Self.both("run updated"))
    }

    /// Plans a meeting that is on Saturday for one reader and on Friday for the other, at the same instant.
    private func plan(_ story: StoryScript) throws {
        try story.step(
            "yuki", "POST /v1/clubs/{club}/meetings",
            #"{"startsAt":"2090-01-07T08:00:00+14:00","timeZone":"Pacific/Kiritimati","book":"{book}","position":{"progress":0.5}}"#,
            201, Self.both("meeting created"), makes: "call")
        for name in ["yuki", "noa"] {
            try story.step(
                name, "POST /v1/readings", #"{"book":"{book}"}"#, 201, [name: "reading created"], makes: "\(name)'s")
        }
        try story.step(
            "yuki", "POST /v1/clubs/{club}/standings", "{}", 201, Self.both("standing created"))
        // The two readers have different dates at any time.
        var days: [String] = []
        for name in ["yuki", "noa"] {
            let pace = try story.step(name, "GET /v1/readings/{\(name)'s}/pace", nil, 200)
            days.append(pace["day"]?.string ?? "")
            let aim = pace["aims"]?.elements.map { $0 }.first
            #expect(aim?["id"]?.string == story.things["call"] && pace["unit"]?.string == "progress", "\(pace.text)")
        }
        #expect(days[0] > days[1], "\(days)")
        try story.step("noa", "GET /v1/readings/{yuki's}/pace", nil, 404)
        try story.listen("noa's list", "/v1/clubs/{club}/notes", as: "noa")
    }

    /// Records a reader's position, and checks which notes are unlocked for them.
    func enter(
        _ story: StoryScript, _ name: String, _ place: String, _ unlocked: String = "",
        at location: SourceLocation = #_sourceLocation
    ) throws {
        try story.step(
            name, "POST /v1/readings/{\(name)'s}/entries", "{\(place)}", 201,
            [
                name: "entry created, reading updated" + (unlocked.isEmpty ? "" : ", \(unlocked)"),
                "noa's list": name == "noa" ? unlocked : "",
            ], makes: "last of \(name)", at: location)
    }

    /// Reads, with neither reader unlocking more than the other wants to know.
    private func read(_ story: StoryScript) throws {
        try enter(story, "yuki", #""progress":0.3"#)
        try story.step(
            "yuki", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","position":{"progress":0.3},"body":"The roses!"}"#, 201,
            ["yuki": "roses created"], makes: "roses")
        // A private note.
        try story.step(
            "yuki", "POST /v1/notes", #"{"book":"{book}","position":{"progress":0.1},"body":"I am afraid of R"}"#, 201,
            ["yuki": "own created"], makes: "own")
        try enter(story, "noa", #""progress":0.299"#)
        #expect(try story.who(of: "yuki", "noa", sees: "roses") == "yuki")
        try story.step("noa", "PATCH /v1/notes/{roses}", #"{"opensAt":{"progress":0.1}}"#, 404)
        try enter(story, "noa", #""progress":0.3"#, "roses unlocked")
        #expect(try story.who(of: "yuki", "noa", sees: "roses") == "yuki noa")
        try story.step("noa", "GET /v1/notes/{own}", nil, 404)
        // Deleting an entry withdraws the notes that it unlocked.
        try story.step(
            "noa", "DELETE /v1/readings/{noa's}/entries/{last of noa}", nil, 204,
            [
                "noa": "entry deleted, reading updated, roses hidden (undone)",
                "noa's list": "roses leave (undone)",
            ])
        #expect(try story.who(of: "noa", sees: "roses") == "")
        // Noa continues with the recording, whose chapters are unknown: shares and the slack decide.
        try story.step(
            "noa", "POST /v1/books/{book}/editions", #"{"format":"audio","length":20000}"#, 201,
            Self.everybody("edition created"), makes: "audio")
        try story.step(
            "noa", "PATCH /v1/readings/{noa's}", #"{"edition":"{audio}"}"#, 200, ["noa": "reading updated"])
        try enter(story, "noa", #""position":{"seconds":7999}"#)
        try enter(story, "noa", #""position":{"seconds":8000}"#, "roses unlocked")
        let note = try story.step(
            "noa", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","position":{"seconds":8000},"body":"The boat"}"#, 201,
            ["noa": "boat created", "noa's list": "boat enter"], makes: "boat")
        #expect(note["progress"]?.double == 0.4 && note["share"]?.double == 0.5, "\(note.text)")
        try enter(story, "yuki", #""progress":0.49"#)
        #expect(try story.who(of: "yuki", "noa", sees: "boat") == "noa")
        try enter(story, "yuki", #""progress":0.5"#, "boat unlocked")
    }

    /// Shares a private note, and raises the threshold of another.
    private func addMore(_ story: StoryScript) throws {
        try story.step(
            "noa", "PATCH /v1/notes/{boat}", #"{"opensAt":{"progress":0.7}}"#, 200,
            ["noa": "boat updated", "noa's list": "boat updated", "yuki": "boat hidden (raised)"])
        #expect(try story.who(of: "yuki", "noa", sees: "boat") == "noa")
        try story.step("noa", "PATCH /v1/notes/{boat}", #"{"opensAt":{"progress":0.6}}"#, 422)
        try enter(story, "yuki", #""progress":0.799"#)
        try enter(story, "yuki", #""progress":0.8"#, "boat unlocked")
        try story.step(
            "yuki", "PATCH /v1/notes/{own}", #"{"club":"{club}"}"#, 200,
            ["yuki": "own updated", "noa": "own unlocked", "noa's list": "own unlocked"])
        try story.step("yuki", "PATCH /v1/notes/{own}", #"{"audience":"moderators"}"#, 422)
        // A reply's threshold is at least that of the note it answers, whatever its own position.
        try story.step(
            "yuki", "POST /v1/notes", #"{"replyTo":"{own}","body":"I was right","position":{"progress":0.7}}"#, 201,
            ["yuki": "right created"], makes: "right")
        let early = try story.step(
            "noa", "POST /v1/notes", #"{"replyTo":"{boat}","body":"Or so","position":{"progress":0.1}}"#, 201,
            [
                "noa": "or so created, boat updated", "noa's list": "or so enter, boat updated",
                "yuki": "or so created, boat updated",
            ], makes: "or so")
        #expect(early["share"]?.double == 0.8, "\(early.text)")
        let shown = try story.step("noa", "GET /v1/clubs/{club}/standings", nil, 200)
        #expect(shown["items"]?.elements.map { $0["progress"]?.isNull } == [true], "\(shown.text)")
        try story.isClosed(to: "kit")
    }

    /// Finishes the book, with one reader abandoning it, and ends the club.
    private func end(_ story: StoryScript) throws {
        try story.step(
            "yuki", "PATCH /v1/readings/{yuki's}", #"{"isFinished":true}"#, 200, ["yuki": "reading updated"])
        try story.step(
            "yuki", "POST /v1/notes", #"{"book":"{book}","club":"{club}","body":"What an end"}"#, 201,
            ["yuki": "end created"], makes: "end")
        // A reader who abandons the book keeps their mark, and does not see notes about the end.
        try story.step(
            "noa", "PATCH /v1/readings/{noa's}", #"{"state":"abandoned"}"#, 200, ["noa": "reading updated"])
        #expect(try story.who(of: "noa", sees: "roses") == "noa")
        #expect(try story.who(of: "yuki", "noa", sees: "end") == "yuki")
        let pace = try story.step("noa", "GET /v1/readings/{noa's}/pace", nil, 200)
        #expect(pace["reason"]?.string == "abandoned" && pace["perDay"]?.isNull == true)
        // If they record knowledge of the rest, they see those notes, and no others.
        try story.step(
            "noa", "PUT /v1/books/{book}/knowledge", #"{"through":{"progress":0.8}}"#, 201,
            ["noa": "knowledge created, right unlocked", "noa's list": "right unlocked"])
        try story.step("yuki", "GET /v1/books/{book}/knowledge", nil, 404)
        try story.step(
            "noa", "DELETE /v1/books/{book}/knowledge", nil, 204,
            ["noa": "knowledge deleted, right hidden (undone)", "noa's list": "right leave (undone)"])
        #expect(try story.who(of: "noa", sees: "right") == "")
        try story.step(
            "yuki", "PATCH /v1/clubs/{club}", #"{"isArchived":true}"#, 200, Self.both("club updated"))
        try story.step(
            "noa", "DELETE /v1/clubs/{club}/members/{noa}?notes=delete", nil, 204,
            [
                "yuki": "boat deleted, or so deleted, page 150 deleted, member deleted",
                "noa": "boat deleted, or so deleted, page 150 deleted, membership deleted",
                "noa's list":
                    "boat leave (deleted), or so leave (deleted), page 150 leave (deleted), member leave (noLongerYours), gone",
            ])
        try story.step("yuki", "GET /v1/notes/{boat}", nil, 404)
        #expect(try story.who(of: "yuki", sees: "roses") == "yuki")
        try story.isClosed(to: "noa")
        try story.step("noa", "GET /v1/notes/{roses}", nil, 404)
    }
}
