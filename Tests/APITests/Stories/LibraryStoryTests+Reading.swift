import JSON
import Testing

extension LibraryStoryTests {
    /// Creates milestones. Only readers who have reached them see their descriptions.
    func plan(_ story: StoryScript) throws {
        let week = #""name":"Week 1","position":{"chapter":10,"within":1},"dueAt":"2090-01-08T18:00:00Z""#
        let unnamed = try story.step("lena", "POST /v1/clubs/{club}/milestones", "{\(week)}", 422)
        for run in ["run", "beside"] { #expect(unnamed.text.contains(story.things[run] ?? "?"), "\(unnamed.text)") }
        try story.step(
            "lena", "POST /v1/clubs/{club}/milestones", #"{"run":"{run}",\#(week)}"#, 201,
            Self.all("milestone created"), makes: "week1")
        try story.step(
            "lena", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","about":"{week1}","body":"The fire"}"#, 201, ["lena": "fire created"],
            makes: "fire")
        try story.step(
            "lena", "POST /v1/clubs/{club}/meetings",
            #"{"title":"First evening","startsAt":"2090-01-09T18:00:00Z","book":"{book}","position":{"chapter":10,"within":1}}"#,
            201,
            Self.all("meeting created"), makes: "evening")
        try story.step(
            "lena", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","about":"{evening}","body":"Who set it?"}"#, 201,
            ["lena": "agenda created"], makes: "agenda")
        for (name, edition) in [("ada", "ebook"), ("ben", "audio"), ("cem", "paper"), ("dot", "old")] {
            try story.step(
                name, "POST /v1/readings", #"{"book":"{book}","edition":"{\#(edition)}"}"#, 201,
                [name: "reading created"], makes: "\(name)'s")
            try story.step(
                name, "POST /v1/clubs/{club}/standings", #"{"run":"{run}","reading":"{\#(name)'s}"}"#, 201,
                Self.all("standing created"))
        }
        for (name, unit) in [("ada", "percent"), ("ben", "second"), ("cem", "page"), ("dot", "page")] {
            let pace = try story.step(name, "GET /v1/readings/{\(name)'s}/pace", nil, 200)
            #expect(pace["unit"]?.string == unit && pace["aims"]?.elements.map { $0 }.count == 2, "\(pace.text)")
            try story.step("eve", "GET /v1/readings/{\(name)'s}/pace", nil, 404)
        }
        try story.listen("ada's pace", "/v1/readings/{ada's}/pace", as: "ada")
        try story.listen("lena's club", "/v1/clubs/{club}/runs/{run}/pace", as: "lena")
        try story.listen("dot's list", "/v1/clubs/{club}/notes", as: "dot")
    }

    /// Records a reader's position. `received` are the other events that it causes.
    @discardableResult
    func enter(
        _ story: StoryScript, _ name: String, _ at: String, _ more: String = "", _ received: [String: String] = [:],
        notes note: String? = nil, at location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        var received = received
        received[name] = "entry created, reading updated" + (received[name].map { ", \($0)" } ?? "")
        if name == "ada" { received["ada's pace"] = "snapshot" }
        return try story.step(
            name, "POST /v1/readings/{\(name)'s}/entries", #"{"position":{\#(at)}\#(more)}"#, 201, received,
            makes: "last of \(name)", notes: note, at: location)
    }

    func note(
        _ story: StoryScript, _ name: String, _ thing: String, _ given: String, _ received: [String: String] = [:],
        at location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try story.step(
            name, "POST /v1/notes", #"{"book":"{book}","club":"{club}",\#(given),"body":"\#(thing)!"}"#, 201,
            received.but([name: "\(thing) created"]), makes: thing, at: location)
    }

    /// Records positions before the story, and within it.
    func begin(_ story: StoryScript) throws {
        let roman = try story.step(
            "cem", "POST /v1/readings/{cem's}/entries", #"{"position":{"page":"xii"}}"#, 422)
        #expect(roman.pointers == ["/position/page"] && roman.text.contains("page 0"), "\(roman.text)")
        let beyond = try story.step("cem", "POST /v1/readings/{cem's}/entries", #"{"position":{"page":401}}"#, 422)
        #expect(beyond.pointers == ["/position/page"] && beyond.text.contains("400"), "\(beyond.text)")
        #expect(try enter(story, "cem", #""page":9"#)["progress"]?.double == 0)
        // A note before the story is visible to everyone.
        let map = try note(
            story, "cem", "map", #""position":{"page":4}"#,
            Self.all("map created").but(["dot's list": "map enter"]))
        #expect(map["progress"]?.double == 0 && map["share"]?.double == 0, "\(map.text)")
        let given = try enter(story, "ada", #""progress":0.1,"locator":"epubcfi(/6/14!/4/2)""#)
        #expect(given["position"]?["locator"]?.string == "epubcfi(/6/14!/4/2)" && given["progress"]?.double == 0.1)
        // This edition has no known chapters: its share and the slack determine when others see the note.
        try enter(story, "cem", #""page":174"#)
        let rope = try note(story, "cem", "rope", #""position":{"page":174}"#)
        #expect(rope["share"]?.double == 0.481578, "\(rope.text)")
        #expect(try story.who(of: Self.members, sees: "rope") == "cem")
        try enter(story, "ben", #""seconds":18009"#)
        try enter(story, "dot", #""page":112"#)
        // A citation is created together with its entry, or not at all.
        let cited = #""kind":"quote","quote":"I lost an arm","language":"en","body":"Gone.","club":"{club}""#
        try enter(
            story, "ada", #""chapter":9,"within":0.99"#, #","note":{\#(cited)}"#,
            ["ada": "arm created", "ben": "arm created"], notes: "arm")
        #expect(try story.who(of: Self.members, sees: "arm") == "ada ben")
        #expect(try story.who(of: Self.members, sees: "rope") == "cem")
    }

    /// Lets each reader reach the others' notes, in the scale of their own edition.
    func meet(_ story: StoryScript) throws {
        for (name, before, from) in [
            ("ada", #""chapter":10,"within":0.63"#, #""chapter":10,"within":0.64"#),
            ("ben", #""seconds":19266"#, #""seconds":19267"#), ("dot", #""page":120"#, #""page":121"#),
        ] {
            try enter(story, name, before)
            try enter(
                story, name, from, "",
                [name: "rope unlocked"].but(name == "dot" ? ["dot's list": "rope unlocked"] : [:]))
        }
        #expect(try story.who(of: Self.members, sees: "rope") == "ada ben cem dot")
        try story.step(
            "ada", "PATCH /v1/notes/{arm}", #"{"body":"Both gone."}"#, 200,
            ["ada": "arm updated, entry updated", "ben": "arm updated"])
        // A reply's threshold is that of the note it answers, or higher.
        try story.step(
            "ben", "POST /v1/notes", #"{"replyTo":"{rope}","body":"Same here"}"#, 201,
            .init("same created, rope updated", by: ["ada", "ben", "cem", "dot"])
                .but(["dot's list": "same enter, rope updated"]), makes: "same")
        try story.step(
            "ada", "POST /v1/notes", #"{"replyTo":"{rope}","body":"It breaks","position":{"chapter":12}}"#, 201,
            ["ada": "breaks created"], makes: "breaks")
        #expect(try story.who(of: Self.members, sees: "breaks") == "ada")
        // Between two editions with anchors the threshold is exact.
        _ = try note(story, "ben", "again", #""position":{"chapter":10,"within":0.9}"#)
        try enter(story, "ada", #""progress":0.415"#)
        try enter(story, "ada", #""progress":0.416"#, "", ["ada": "again unlocked"])
        try enter(story, "cem", #""page":199"#)
        #expect(try story.who(of: Self.members, sees: "again") == "ada ben")
        // The first milestone: members who reach it see its description; the others see only that they did.
        let reached = Self.all("standing updated").but(["lena's club": "snapshot"])
        try enter(
            story, "ada", #""chapter":11"#, "",
            reached.but(["ada": "fire unlocked, agenda unlocked, standing updated"]))
        try enter(
            story, "cem", #""page":200"#, "", reached.but(["cem": "arm unlocked, standing updated"]))
        try enter(story, "cem", #""page":218"#, "", ["cem": "again unlocked"])
        try enter(story, "cem", #""page":219"#, "", ["cem": "fire unlocked, agenda unlocked"])
        #expect(try story.who(of: Self.members, sees: "agenda") == "lena ada cem")
        // Deleting an entry withdraws the notes that it unlocked.
        try story.step(
            "dot", "DELETE /v1/readings/{dot's}/entries/{last of dot}", nil, 204,
            [
                "dot": "entry deleted, reading updated, rope hidden (undone), same hidden (undone)",
                "dot's list": "rope leave (undone), same leave (undone)",
            ])
        #expect(try story.who(of: "dot", sees: "rope") == "")
        for name in ["eve", "fay"] {
            try story.step(name, "GET /v1/clubs/{club}/meetings/{evening}/notes", nil, 404)
            try story.step(name, "GET /v1/notes/{rope}", nil, 404)
        }
    }
}
