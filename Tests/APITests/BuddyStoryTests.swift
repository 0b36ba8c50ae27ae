import JSON
import Model
import SharedByTests
import Testing

@testable import API

/// Two who read together from both ends of the world, and fear nothing more than to be told too much.
@Suite("Two buddies")
struct BuddyStoryTests {
    @Test("Each reads by the days where they live, and hears of nothing that they have not come to")
    func story() throws {
        let story = try StoryScript("yuki", "noa")
        let both = { (words: String) in ["yuki": words, "noa": words] }
        // They choose.
        try story.step(
            "yuki", "POST /v1/books", #"{"title":"The Memory Police"}"#, 201, both("book created"), makes: "book")
        try story.step(
            "yuki", "POST /v1/clubs", #"{"name":"Us","slack":0.1}"#, 201,
            ["yuki": "member created, club created, membership created"], makes: "club")
        let code = try story.step(
            "yuki", "POST /v1/clubs/{club}/invitations", #"{"usesMax":1}"#, 201, ["yuki": "invitation created"])
        try story.step(
            "noa", "POST /v1/memberships", #"{"invitation":"\#(code["code"]?.string ?? "")"}"#, 201,
            ["yuki": "member created, invitation updated", "noa": "member created, membership created"])
        for (name, zone) in [("yuki", "Asia/Tokyo"), ("noa", "America/New_York")] {
            try story.step(
                name, "PATCH /v1/settings", #"{"timeZone":"\#(zone)"}"#, 200, [name: "settings updated"])
            try story.step(
                name, "PATCH /v1/clubs/{club}/members/{\(name)}", #"{"shares":"nothing"}"#, 200, both("member updated"))
        }
        try story.step(
            "noa", "POST /v1/clubs/{club}/runs", #"{"book":"{book}"}"#, 201, both("clubBook created"), makes: "run")
        try story.step(
            "yuki", "PATCH /v1/clubs/{club}/runs/{run}", #"{"state":"current"}"#, 200, both("clubBook updated"))
        // A meeting that is on Saturday for one and on Friday for the other: a moment is one for both.
        try story.step(
            "yuki", "POST /v1/clubs/{club}/meetings",
            #"{"startsAt":"2090-01-07T08:00:00+09:00","timeZone":"Asia/Tokyo","book":"{book}","progress":0.5}"#, 201,
            both("meeting created"), makes: "call")
        for name in ["yuki", "noa"] {
            try story.step(
                name, "POST /v1/readings", #"{"book":"{book}"}"#, 201, [name: "reading created"], makes: "\(name)'s")
        }
        // At the same moment it is another day for each.
        story.desk.desk.clock = { Instant("2089-12-31T20:00:00Z") ?? .now }
        for (name, day, left) in [("yuki", "2090-01-01", 7), ("noa", "2089-12-31", 7)] as [(String, String, Int64)] {
            let pace = try story.step(name, "GET /v1/readings/{\(name)'s}/pace", nil, 200)
            #expect(pace["day"]?.string == day && pace["unit"]?.string == "progress", "\(pace.text)")
            let aim = pace["aims"]?.elements.map { $0 }.first
            #expect(aim?["daysLeft"]?.integer == left && aim?["id"]?.string == story.things["call"], "\(pace.text)")
        }
        try read(story)
        try end(story)
    }

    /// They read, neither of them further than the other wants to know.
    private func read(_ story: StoryScript) throws {
        func enter(_ name: String, _ place: String, _ told: String = "") throws {
            try story.step(
                name, "POST /v1/readings/{\(name)'s}/entries", "{\(place)}", 201,
                [name: "entry created, reading updated" + (told.isEmpty ? "" : ", \(told)")], makes: "last of \(name)")
        }
        try enter("yuki", #""progress":0.3"#)
        try story.step(
            "yuki", "POST /v1/notes", #"{"book":"{book}","club":"{club}","progress":0.3,"body":"The roses!"}"#, 201,
            ["yuki": "note created"], makes: "roses")
        // Said to nobody: for oneself.
        try story.step(
            "yuki", "POST /v1/notes", #"{"book":"{book}","progress":0.1,"body":"I am afraid of R"}"#, 201,
            ["yuki": "note created"], makes: "own")
        try enter("noa", #""progress":0.299"#)
        #expect(try story.who(of: "yuki", "noa", sees: "roses") == "yuki")
        try story.step("noa", "PATCH /v1/notes/{roses}", #"{"opensAt":0.1}"#, 404)
        try enter("noa", #""progress":0.3"#, "note unlocked")
        #expect(try story.who(of: "yuki", "noa", sees: "roses") == "yuki noa")
        try story.step("noa", "GET /v1/notes/{own}", nil, 404)
        // An undo takes the progress back, not what was seen.
        try story.step(
            "noa", "DELETE /v1/readings/{noa's}/entries/{last of noa}", nil, 204,
            ["noa": "entry deleted, reading updated"])
        #expect(try story.who(of: "noa", sees: "roses") == "noa")
        // Noa goes on with the recording, of which no chapters are known: notes in it open a slack later to who reads otherwise.
        try story.step(
            "noa", "POST /v1/books/{book}/editions", #"{"format":"audio","length":20000}"#, 201,
            ["yuki": "edition created", "noa": "edition created"], makes: "audio")
        try story.step(
            "noa", "PATCH /v1/readings/{noa's}", #"{"edition":"{audio}"}"#, 200, ["noa": "reading updated"])
        try enter("noa", #""at":{"seconds":8000}"#)
        let note = try story.step(
            "noa", "POST /v1/notes", #"{"book":"{book}","club":"{club}","at":{"seconds":8000},"body":"The boat"}"#, 201,
            ["noa": "note created"], makes: "boat")
        #expect(note["progress"]?.double == 0.4 && note["opensAt"]?.double == 0.5, "\(note.text)")
        try enter("yuki", #""progress":0.49"#)
        #expect(try story.who(of: "yuki", "noa", sees: "boat") == "noa")
        try enter("yuki", #""progress":0.5"#, "note unlocked")
        // Too much was said after all: its author lets it open later, and who has not come so far drops it.
        try story.step(
            "noa", "PATCH /v1/notes/{boat}", #"{"opensAt":0.7}"#, 200, ["noa": "note updated", "yuki": "note hidden"])
        #expect(try story.who(of: "yuki", "noa", sees: "boat") == "noa")
        try story.step("noa", "PATCH /v1/notes/{boat}", #"{"opensAt":0.6}"#, 422)
        try enter("yuki", #""progress":0.7"#, "note unlocked")
        let unread = try story.step("noa", "GET /v1/clubs/{club}/standings", nil, 200)
        #expect(unread["items"]?.elements.isEmpty == true)
    }

    /// They finish, one abandons it, and they part.
    private func end(_ story: StoryScript) throws {
        try story.step(
            "yuki", "PATCH /v1/readings/{yuki's}", #"{"isFinished":true}"#, 200, ["yuki": "reading updated"])
        try story.step(
            "yuki", "POST /v1/notes", #"{"book":"{book}","club":"{club}","body":"What an end"}"#, 201,
            ["yuki": "note created"], makes: "end")
        // Who abandons it keeps what they came to, and is not told the end.
        try story.step(
            "noa", "PATCH /v1/readings/{noa's}", #"{"state":"abandoned"}"#, 200, ["noa": "reading updated"])
        #expect(try story.who(of: "noa", sees: "roses") == "noa")
        #expect(try story.who(of: "yuki", "noa", sees: "end") == "yuki")
        let pace = try story.step("noa", "GET /v1/readings/{noa's}/pace", nil, 200)
        #expect(pace["reason"]?.string == "abandoned" && pace["perDay"]?.isNull == true)
        try story.step(
            "yuki", "PATCH /v1/clubs/{club}", #"{"isArchived":true}"#, 200,
            ["yuki": "club updated", "noa": "club updated"])
        try story.step(
            "noa", "DELETE /v1/clubs/{club}/members/{noa}?notes=delete", nil, 204,
            ["yuki": "note deleted, member deleted", "noa": "note deleted, membership deleted"])
        try story.step("yuki", "GET /v1/notes/{boat}", nil, 404)
        #expect(try story.who(of: "yuki", sees: "roses") == "yuki")
        try story.step("noa", "GET /v1/clubs/{club}/notes", nil, 404)
        try story.step("noa", "GET /v1/notes/{roses}", nil, 404)
    }
}
