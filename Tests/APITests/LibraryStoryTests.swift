import JSON
import SharedByTests
import Testing

/// A library's club: paper, an e-book and a recording, with chapters known in two of four editions, from choosing to the archive.
@Suite("A library's club")
struct LibraryStoryTests {
    @Test("It reads one book in four editions, and nobody is told what they have not come to")
    func story() throws {
        let story = try StoryScript("lena", "ada", "ben", "cem", "dot", "eve")
        let all = ["lena", "ada", "ben", "cem", "dot"]
        func heard(_ words: String, by names: [String]) -> [String: String] {
            Dictionary(uniqueKeysWithValues: names.map { ($0, words) })
        }
        func everyone(_ words: String) -> [String: String] { heard(words, by: all + ["eve"]) }
        try found(story, everyone: everyone, heard: heard)
        try plan(story, everyone: everyone, all: { heard($0, by: all) })
        try read(story, all: { heard($0, by: all) })
        try end(story, all: { heard($0, by: all) })
    }

    private typealias Everyone = (String) -> [String: String]

    /// The club comes together.
    private func found(
        _ story: StoryScript, everyone: Everyone, heard: (String, [String]) -> [String: String]
    ) throws {
        try story.step(
            "admin", "POST /v1/books", #"{"title":"Kindred","pageCount":400}"#, 201, everyone("book created"),
            makes: "book")
        try story.step(
            "lena", "POST /v1/clubs", #"{"name":"The Library"}"#, 201,
            ["lena": "member created, club created, membership created"], makes: "club")
        let code =
            try story.step(
                "lena", "POST /v1/clubs/{club}/invitations", #"{"usesMax":9}"#, 201, ["lena": "invitation created"])[
                "code"]?.string
            ?? ""
        var inside = ["lena"]
        for name in ["ada", "ben", "cem", "dot"] {
            var told = heard("member created", inside)
            told["lena"] = "member created, invitation updated"
            told[name] = "member created, membership created"
            try story.step(name, "POST /v1/memberships", #"{"invitation":"\#(code)"}"#, 201, told)
            inside.append(name)
        }
    }

    /// It chooses a book, its editions, and by when what is to be read.
    private func plan(_ story: StoryScript, everyone: Everyone, all: Everyone) throws {
        try story.step(
            "eve", "POST /v1/clubs/{club}/runs", #"{"book":"{book}"}"#, 404)
        try story.step(
            "ada", "POST /v1/clubs/{club}/runs", #"{"book":"{book}","startsAt":"2090-01-01T00:00:00Z"}"#, 201,
            all("clubBook created"), makes: "run")
        try story.step("ada", "PATCH /v1/clubs/{club}/runs/{run}", #"{"state":"current"}"#, 403)
        try story.step(
            "lena", "PATCH /v1/clubs/{club}/runs/{run}", #"{"state":"current"}"#, 200, all("clubBook updated"))
        for (name, form) in [
            ("ebook", #""ebook","storyStart":2,"storyEnd":82"#),
            ("audio", #""audio","length":40000,"storyStart":100,"storyEnd":39900"#),
            ("paper", #""paper","length":400,"storyStart":10,"storyEnd":390"#),
            ("old", #""paper","length":250,"storyStart":5,"storyEnd":245"#),
        ] {
            try story.step(
                "lena", "POST /v1/books/{book}/editions", #"{"format":\#(form)}"#, 201, everyone("edition created"),
                makes: name)
        }
        let chapters = (0..<20).map { #"{"label":"\#($0 + 1)","share":\#(Double($0) / 20)}"# }.joined(separator: ",")
        try story.step(
            "lena", "PUT /v1/books/{book}/chapters", #"{"chapters":[\#(chapters)]}"#, 201, everyone("chapters created"))
        for (name, start, step) in [("ebook", 2, 4), ("audio", 100, 1990)] {
            let begins = (0..<20).map { "\(start + $0 * step)" }.joined(separator: ",")
            try story.step(
                "lena", "PUT /v1/editions/{\(name)}/anchors", #"{"begins":[\#(begins)]}"#, 201,
                everyone("anchors created"))
        }
        try story.step(
            "lena", "POST /v1/clubs/{club}/milestones",
            #"{"name":"Week 1","at":{"chapter":11},"dueAt":"2090-01-08T18:00:00Z"}"#, 201, all("milestone created"),
            makes: "week1")
        try story.step(
            "lena", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","about":"{week1}","body":"The fire"}"#, 201, ["lena": "note created"],
            makes: "name of week 1")
        try story.step(
            "lena", "POST /v1/clubs/{club}/meetings",
            #"{"title":"First evening","startsAt":"2090-01-09T18:00:00Z","book":"{book}","at":{"chapter":11}}"#, 201,
            all("meeting created"), makes: "evening")
        for (name, edition) in [("ada", "ebook"), ("ben", "audio"), ("cem", "paper"), ("dot", "old")] {
            try story.step(
                name, "POST /v1/readings", #"{"book":"{book}","edition":"{\#(edition)}"}"#, 201,
                [name: "reading created"], makes: "\(name)'s")
            try story.step(
                name, "POST /v1/clubs/{club}/standings", #"{"reading":"{\#(name)'s}"}"#, 201, all("standing created"))
        }
        for (name, unit) in [("ada", "percent"), ("ben", "second"), ("cem", "page"), ("dot", "page")] {
            let pace = try story.step(name, "GET /v1/readings/{\(name)'s}/pace", nil, 200)
            #expect(pace["unit"]?.string == unit && pace["aims"]?.elements.map { $0 }.count == 2, "\(pace.text)")
            try story.step("eve", "GET /v1/readings/{\(name)'s}/pace", nil, 404)
        }
    }

    /// They read, and write what only those see who have come there.
    private func read(_ story: StoryScript, all: Everyone) throws {
        func enter(_ name: String, _ at: String, _ told: [String: String] = [:]) throws {
            var told = told
            told[name] = "entry created, reading updated" + (told[name].map { ", \($0)" } ?? "")
            if name == "ada" { told["ada's pace"] = "snapshot" }
            try story.step(
                name, "POST /v1/readings/{\(name)'s}/entries", #"{"at":{\#(at)}}"#, 201, told,
                makes: "last of \(name)")
        }
        try story.listen("ada's pace", "/v1/readings/{ada's}/pace", as: "ada")
        // Chapter 9 is from .4 to .45: page 174 of this paper is in it.
        try enter("cem", #""page":174"#)
        try story.step(
            "cem", "POST /v1/notes", #"{"book":"{book}","club":"{club}","at":{"page":174},"body":"The rope!"}"#, 201,
            ["cem": "note created"], makes: "rope")
        #expect(try story.who(of: "lena", "ada", "ben", "cem", "dot", sees: "rope") == "cem")
        try enter("ada", #""chapter":9,"fraction":0.99"#)
        try enter("ben", #""seconds":18009"#)
        try enter("dot", #""page":112"#)
        #expect(try story.who(of: "lena", "ada", "ben", "cem", "dot", sees: "rope") == "cem")
        try enter("ada", #""chapter":10,"fraction":0"#, ["ada": "note unlocked"])
        try enter("ben", #""seconds":18010"#, ["ben": "note unlocked"])
        try enter("dot", #""page":113"#, ["dot": "note unlocked"])
        #expect(try story.who(of: "lena", "ada", "ben", "cem", "dot", sees: "rope") == "ada ben cem dot")
        // Between the two that are anchored it is exact.
        try story.step(
            "ben", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","at":{"chapter":10,"fraction":0.5},"body":"Again?"}"#, 201,
            ["ben": "note created"], makes: "again")
        try enter("ada", #""progress":0.399"#)
        try enter("ada", #""progress":0.4"#, ["ada": "note unlocked"])
        try enter("cem", #""page":199"#)
        #expect(try story.who(of: "ada", "ben", "cem", "dot", sees: "again") == "ada ben")
        // The first milestone: who reaches it is told what it is about, and the others that they have.
        let reached = "standing updated"
        try enter("ada", #""chapter":11"#, all(reached).merging(["ada": "note unlocked, \(reached)"]) { $1 })
        try enter(
            "cem", #""page":200"#, all(reached).merging(["cem": "note unlocked, \(reached)"]) { $1 })
        // An undo takes nothing back that was seen.
        try story.step(
            "dot", "DELETE /v1/readings/{dot's}/entries/{last of dot}", nil, 204,
            ["dot": "entry deleted, reading updated"])
        #expect(try story.who(of: "dot", sees: "rope") == "dot")
        try story.step("eve", "GET /v1/clubs/{club}/meetings/{evening}/notes", nil, 404)
        // The e-book's story ends at 82 %.
        try enter("ada", #""progress":0.82"#)
        try story.step(
            "ada", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","at":{"progress":0.82},"body":"So it was her."}"#, 201,
            ["ada": "note created"], makes: "solution")
        // By other numbers what is at the beginning of a chapter opens at its end.
        try enter("cem", #""page":330"#, ["cem": "note unlocked"])
        #expect(try story.who(of: "lena", "ada", "ben", "cem", "dot", sees: "solution") == "ada")
    }

    /// They finish, and the club keeps it.
    private func end(_ story: StoryScript, all: Everyone) throws {
        for (name, ahead) in [("ben", 2), ("cem", 1), ("dot", 3)] {
            var told = all("standing updated")
            let notes = Array(repeating: "note unlocked", count: ahead).joined(separator: ", ")
            told[name] = "reading updated, \(notes), standing updated"
            try story.step(name, "PATCH /v1/readings/{\(name)'s}", #"{"isFinished":true}"#, 200, told)
        }
        #expect(try story.who(of: "lena", "ada", "ben", "cem", "dot", sees: "solution") == "ada ben cem dot")
        let pace = try story.step("ben", "GET /v1/clubs/{club}/books/{book}/pace", nil, 200)
        #expect(pace["finished"]?.integer == 3, "\(pace.text)")
        try story.step(
            "lena", "PATCH /v1/clubs/{club}/runs/{run}", #"{"state":"read"}"#, 200,
            all("clubBook updated, standing updated, standing updated, standing updated, standing updated")
                .merging(["ada's pace": "snapshot"]) { $1 })
        // Another run of it has milestones and standings of its own.
        try story.step(
            "dot", "POST /v1/clubs/{club}/runs", #"{"book":"{book}"}"#, 201, all("clubBook created"), makes: "again?")
        let runs = try story.step("ben", "GET /v1/clubs/{club}/runs", nil, 200)
        #expect(
            runs["items"]?.elements.compactMap { $0["state"]?.string }.sorted() == ["proposed", "read"], "\(runs.text)")
        try story.step(
            "lena", "PATCH /v1/clubs/{club}/runs/{again?}", #"{"state":"dropped"}"#, 200, all("clubBook updated"))
        // Cem moves away: what was said stays, under nobody's name.
        try story.step(
            "cem", "DELETE /v1/clubs/{club}/members/{cem}?notes=nameless", nil, 204,
            [
                "lena": "standing deleted, member deleted",
                "ada": "note updated, standing deleted, member deleted",
                "ben": "note updated, standing deleted, member deleted",
                "dot": "note updated, standing deleted, member deleted",
                "cem": "note updated, standing deleted, membership deleted",
            ])
        let rope = try story.step("dot", "GET /v1/notes/{rope}", nil, 200)
        #expect(rope["body"]?.string == "The rope!" && !rope.text.contains(story.things["cem"] ?? "?"), "\(rope.text)")
        let without = { (words: String) in
            Dictionary(uniqueKeysWithValues: ["lena", "ada", "ben", "dot"].map { ($0, words) })
        }
        try story.step(
            "lena", "PATCH /v1/clubs/{club}", #"{"isArchived":true}"#, 200,
            without("club updated").merging(["ada's pace": "snapshot"]) { $1 })
        try story.step(
            "ada", "POST /v1/notes", #"{"book":"{book}","club":"{club}","body":"Too late"}"#, 409)
        let kept = try story.step("dot", "GET /v1/clubs/{club}/notes?limit=100", nil, 200)
        #expect(kept["items"]?.elements.map { $0 }.count == 4, "\(kept.text)")
    }
}
