import JSON
import Testing

extension ClassStoryTests {
    /// Records a pupil's position. The class receives milestones, and its teacher everything that is not kept from
    /// them.
    func enter(
        _ story: StoryScript, _ name: String, _ place: String, unlocks: String = "", reaches: Bool = false,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let more = (unlocks.isEmpty ? [] : [unlocks]) + (reaches ? ["standing updated"] : [])
        let isTold = name != "cy"
        try story.step(
            name, "POST /v1/readings/{\(name)'s}/entries", #"{"position":{\#(place)}}"#, 201,
            Self.all(reaches ? "standing updated" : "").but([
                "teacher": isTold || reaches ? "standing updated" : "", "class": reaches ? "standing updated" : "",
                name: (["entry created", "reading updated"] + more).joined(separator: ", "),
                "teacher's view": isTold || reaches ? "standing updated" : "", "bo's list": name == "bo" ? unlocks : "",
            ]), at: location)
    }

    func write(
        _ story: StoryScript, _ name: String, _ thing: String, _ given: String, _ received: [String: String] = [:],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        try story.step(
            name, "POST /v1/notes", #"{"book":"{book}","club":"{club}",\#(given),"body":"\#(thing)?"}"#, 201,
            received.but([name: "\(thing) created"]), makes: thing, at: location)
    }

    func read(_ story: StoryScript) throws {
        // The teacher's questions are at the end of the third chapter and of the book.
        try write(story, "teacher", "onions", #""position":{"chapter":3,"within":1}"#)
        try write(story, "teacher", "last question", #""threshold":"finished""#)
        try write(
            story, "teacher", "welcome", #""threshold":"everyone""#,
            Self.all("welcome created").but(["bo's list": "welcome enter"]))
        // A pupil who is ahead writes a note at their own position.
        try enter(story, "ana", #""chapter":6,"within":0.5"#, unlocks: "onions unlocked", reaches: true)
        try write(story, "ana", "boat", #""position":{"chapter":6,"within":0.5}"#, ["teacher": "boat created"])
        #expect(try story.who(of: Self.members, sees: "boat") == "teacher ana")
        // Bo is in the third chapter, but not at its end: the teacher receives the position, the class does not.
        try enter(story, "bo", #""chapter":3,"within":0.9"#)
        #expect(try story.who(of: Self.members, sees: "onions") == "teacher ana")
        let view = try story.step("teacher", "GET /v1/clubs/{club}/standings", nil, 200)
        #expect(view["items"]?.elements.map { $0["progress"]?.double } == [0.55, 0.29, nil], "\(view.text)")
        let shown = try story.step("cy", "GET /v1/clubs/{club}/standings", nil, 200)
        #expect(shown["items"]?.elements.map { $0["progress"]?.double } == [0.3, nil, nil], "\(shown.text)")
        try enter(story, "bo", #""chapter":4"#, unlocks: "onions unlocked", reaches: true)
        #expect(try story.who(of: Self.members, sees: "onions") == "teacher ana bo")
        // The teacher raises the threshold: members who have not reached it lose the note, and the others keep it.
        try story.step(
            "teacher", "PATCH /v1/notes/{onions}", #"{"opensAt":{"chapter":6}}"#, 200,
            [
                "teacher": "onions updated", "ana": "onions updated", "bo": "onions hidden (raised)",
                "bo's list": "onions leave (raised)",
            ])
        try story.step("bo", "PATCH /v1/notes/{onions}", #"{"opensAt":{"progress":0.9}}"#, 404)
        try story.step("ana", "PATCH /v1/notes/{onions}", #"{"opensAt":{"progress":0.9}}"#, 403)
    }

    /// Writes a note for oneself, one for the teacher, and one for the class.
    func ask(_ story: StoryScript) throws {
        try story.step(
            "bo", "POST /v1/notes", #"{"book":"{book}","position":{"chapter":3},"body":"I know a Zero"}"#, 201,
            ["bo": "zero created"], makes: "zero")
        try story.step("teacher", "GET /v1/notes/{zero}", nil, 404)
        try write(
            story, "bo", "question",
            #""position":{"chapter":3,"within":0.5},"kind":"question","audience":"moderators""#,
            ["teacher": "question created", "bo's list": "question enter"])
        #expect(try story.who(of: Self.members, sees: "question") == "teacher bo")
        try story.step("ana", "GET /v1/notes/{question}", nil, 404)
        try story.step(
            "teacher", "POST /v1/notes", #"{"replyTo":"{question}","body":"Ask them all!"}"#, 201,
            [
                "teacher": "answer created, question updated", "bo": "answer created, question updated",
                "bo's list": "answer enter, question updated",
            ], makes: "answer")
        try story.step(
            "bo", "PATCH /v1/notes/{question}", #"{"audience":"club"}"#, 200,
            [
                "teacher": "question updated", "bo": "question updated", "bo's list": "question updated",
                "ana": "question unlocked",
            ])
        #expect(try story.who(of: Self.members, sees: "question") == "teacher ana bo")
        #expect(try story.who(of: Self.members, sees: "answer") == "teacher bo")
        try story.step("bo", "PATCH /v1/notes/{question}", #"{"audience":"moderators"}"#, 422)
        // A private note is shared with the teacher only.
        try story.step(
            "bo", "PATCH /v1/notes/{zero}", #"{"club":"{club}","audience":"moderators"}"#, 200,
            ["bo": "zero updated", "teacher": "zero unlocked", "bo's list": "zero enter"])
        #expect(try story.who(of: Self.members, sees: "zero") == "teacher bo")
        // An entry's note for the class is a regular note, created with the entry.
        try story.step(
            "cy", "POST /v1/readings/{cy's}/entries",
            #"{"position":{"chapter":2},"note":{"kind":"prediction","quote":"You're to dig one hole","language":"en","club":"{club}"}}"#,
            201,
            Self.all("dig created").but([
                "cy": "entry created, reading updated, dig created", "bo's list": "dig enter",
            ]), notes: "dig")
        let dig = try story.step("bo", "GET /v1/notes/{dig}", nil, 200)
        #expect(dig["kind"]?.string == "prediction" && dig["quote"]?.string == "You're to dig one hole")
        let found = try story.step("ana", "GET /v1/clubs/{club}/notes?q=hole", nil, 200)
        #expect(found["items"]?.elements.compactMap { $0["id"]?.string } == [story.things["dig"] ?? ""])
        // An entry's private note is visible to nobody else.
        try story.step(
            "cy", "POST /v1/readings/{cy's}/entries",
            #"{"position":{"chapter":2,"within":0.5},"note":{"body":"Boring"}}"#,
            201, ["cy": "entry created, reading updated, boring created"], notes: "boring")
        for name in ["teacher", "ana", "parent"] { try story.step(name, "GET /v1/notes/{boring}", nil, 404) }
    }

    /// Checks that the class sees no more than its standings, and the guardian's export.
    func keep(_ story: StoryScript) throws {
        let pace = try story.step("teacher", "GET /v1/clubs/{club}/runs/{run}/pace", nil, 200)
        let reached = pace["aims"]?.elements.compactMap { $0["reached"]?.integer }
        #expect(reached == [2, 0] && pace["progress"]?.double == 0.3, "\(pace.text)")
        for pupil in Self.pupils {
            try story.step("teacher", "GET /v1/readings/{\(pupil)'s}", nil, 404)
            try story.step("teacher", "GET /v1/readings/{\(pupil)'s}/pace", nil, 404)
        }
        let account = try story.step("teacher", "GET /v1/me/export?reader={cy}", nil, 200)
        #expect(account.text.contains("You're to dig") && !account.text.contains("Boring"), "\(account.text)")
        for name in ["parent", "ana", "cy", "admin"] { try story.step(name, "GET /v1/me/export?reader={cy}", nil, 404) }
        try story.isClosed(to: "parent")
    }
}
