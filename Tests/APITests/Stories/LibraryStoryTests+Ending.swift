import JSON
import Testing

extension LibraryStoryTests {
    /// Continues with one reader in another edition, one with prior knowledge, and one who wrote too much.
    func runEnding(_ story: StoryScript) throws {
        let there = try story.step(
            "dot", "PATCH /v1/readings/{dot's}", #"{"edition":"{ebook}"}"#, 200, ["dot": "reading updated"])
        #expect(there["page"]?.isNull == true && there["position"]?["progress"] != nil, "\(there.text)")
        let unlocked = ["rope", "same", "arm", "again", "fire", "agenda", "breaks"].map { "\($0) unlocked" }
            .joined(separator: ", ")
        let reached = Self.all("standing updated").but(["lena's club": "snapshot"])
        try enter(
            story, "dot", #""progress":0.5"#, "",
            reached.but(["dot": "\(unlocked), standing updated", "dot's list": unlocked]))
        try story.step(
            "lena", "POST /v1/readings",
            #"{"book":"{book}","startedAt":"2001-05-01T00:00:00Z","finishedAt":"2001-06-01T00:00:00Z"}"#, 201,
            ["lena": "reading created, rope unlocked, same unlocked, arm unlocked, again unlocked, breaks unlocked"])
        // A member who knows the end may write a note for members who have finished.
        _ = try note(story, "lena", "hint", #""position":{"chapter":2},"threshold":"finished""#)
        #expect(try story.who(of: Self.members, sees: "hint") == "lena")
        // Members who have not reached the new threshold lose the note, and the others keep it.
        try story.step("ada", "PATCH /v1/notes/{again}", #"{"opensAt":{"chapter":18}}"#, 403)
        try story.step("eve", "PATCH /v1/notes/{again}", #"{"opensAt":{"chapter":18}}"#, 404)
        try story.step(
            "ben", "PATCH /v1/notes/{again}", #"{"opensAt":{"chapter":17}}"#, 200,
            [
                "ben": "again updated", "lena": "again updated", "ada": "again hidden (raised)",
                "cem": "again hidden (raised)",
                "dot": "again hidden (raised)", "dot's list": "again leave (raised)",
            ])
        #expect(try story.who(of: Self.members, sees: "again") == "lena ben")
        // The e-book's story ends at 82 %.
        try enter(story, "ada", #""progress":0.82"#, "", ["ada": "again unlocked, hint unlocked"])
        _ = try note(story, "ada", "solution", #""position":{"progress":0.82}"#, ["lena": "solution created"])
        try enter(story, "cem", #""page":333"#, "", ["cem": "breaks unlocked, again unlocked"])
        #expect(try story.who(of: Self.members, sees: "solution") == "lena ada")
        let back = try note(
            story, "cem", "back", #""position":{"page":398}"#, ["lena": "back created", "ada": "back created"])
        #expect(back["progress"]?.integer == 1 && back["share"]?.integer == 1, "\(back.text)")
    }

    /// Corrects the recording's chapters. Recorded positions must not move; new ones compare with them by shares only.
    func correct(_ story: StoryScript) throws {
        let before = try story.step("ben", "GET /v1/readings/{ben's}", nil, 200)
        try story.step("lena", "PATCH /v1/editions/{audio}", Self.anchors(from: 100, by: 1980), 403)
        try story.step(
            "admin", "PATCH /v1/editions/{audio}", Self.anchors(from: 100, by: 1980), 200,
            Self.everybody("edition updated, chapters updated"))
        #expect(try story.step("ben", "GET /v1/readings/{ben's}", nil, 200).text == before.text)
        try story.step(
            "admin", "PATCH /v1/editions/{audio}", #"{"length":41000}"#, 200,
            Self.everybody("edition updated, chapters updated"))
        try enter(
            story, "ben", #""seconds":20000"#, "", Self.all("standing updated").but(["lena's club": "snapshot"]))
        try enter(story, "ben", #""seconds":21989"#)
        try enter(story, "ben", #""seconds":21990"#, "", ["ben": "fire unlocked, agenda unlocked"])
    }

    /// Finishes the book, and archives it in the club.
    func end(_ story: StoryScript) throws {
        for (name, ahead) in [
            ("ben", "breaks unlocked, hint unlocked, solution unlocked, back unlocked"),
            ("cem", "hint unlocked, solution unlocked"),
            ("dot", "again unlocked, hint unlocked, solution unlocked, back unlocked"),
        ] {
            try story.step(
                name, "PATCH /v1/readings/{\(name)'s}", #"{"isFinished":true}"#, 200,
                Self.all("standing updated").but([
                    name: "reading updated, \(ahead), standing updated", "lena's club": "snapshot",
                    "dot's list": name == "dot" ? ahead : "",
                ]))
        }
        for thing in ["hint", "again", "breaks", "solution", "back", "hello"] {
            #expect(try story.who(of: Self.members, sees: thing) == "lena ada ben cem dot", "\(thing)")
        }
        let pace = try story.step("ben", "GET /v1/clubs/{club}/runs/{run}/pace", nil, 200)
        #expect(pace["finished"]?.integer == 3, "\(pace.text)")
        try story.step(
            "lena", "PATCH /v1/clubs/{club}/runs/{run}", #"{"state":"read"}"#, 200,
            Self.all("run updated, standing updated, standing updated, standing updated, standing updated").but([
                "ada's pace": "snapshot"
            ]))
    }

    /// Reads the book in another run, which has its own milestones and standings.
    func readAgain(_ story: StoryScript) throws {
        try story.step(
            "dot", "POST /v1/clubs/{club}/runs", #"{"book":"{book}"}"#, 201, Self.all("run created"), makes: "anew"
        )

        try story.step(
            "lena", "PATCH /v1/clubs/{club}/runs/{anew}", #"{"state":"current"}"#, 200,
            Self.all("run updated"))

        try story.step(
            "lena", "POST /v1/clubs/{club}/milestones",
            #"{"run":"{anew}","position":{"progress":0.5},"dueAt":"2091-01-08T18:00:00Z"}"#, 201,
            Self.all("milestone created").but(["ada's pace": "snapshot"]))
        for name in ["ben", "dot"] {
            let standing = try story.step(
                name, "POST /v1/clubs/{club}/standings", #"{"run":"{anew}"}"#, 201,
                Self.all("standing created").but([name: "reading created, standing created"]))
            #expect(standing["run"]?.string == story.things["anew"] && standing["finishedAt"]?.isNull == true)

            let readings = try story.step(name, "GET /v1/readings", nil, 200)["items"]?.elements.map { $0 } ?? []
            story.name("\(name)'s", readings.first { $0["number"]?.integer == 2 }?["id"]?.string)
        }
        try enter(story, "ben", #""progress":0.6"#, "", Self.all("standing updated"))
        try story.step(
            "ben", "PATCH /v1/readings/{ben's}", #"{"isFinished":true}"#, 200,
            Self.all("standing updated").but(["ben": "reading updated, standing updated"]))
        for (run, done) in [("run", [false, true, true, true]), ("anew", [true, false])] {
            let list = try story.step("cem", "GET /v1/clubs/{club}/standings?run={\(run)}", nil, 200)

            #expect(list["items"]?.elements.map { $0["finishedAt"]?.isNull == false } == done, "\(list.text)")
        }
        try story.step(
            "lena", "PATCH /v1/clubs/{club}/runs/{anew}", #"{"state":"read"}"#, 200,
            Self.all("run updated, standing updated, standing updated").but(["ada's pace": "snapshot"]))
        try story.step(
            "lena", "PATCH /v1/clubs/{club}/runs/{beside}", #"{"state":"dropped"}"#, 200, Self.all("run updated"))
        let runs = try story.step("ada", "GET /v1/clubs/{club}/runs", nil, 200)
        #expect(runs["items"]?.elements.compactMap { $0["state"]?.string }.sorted() == ["dropped", "read", "read"])
    }

    /// Ends with notes that stay, are deleted, or become nameless, in a club that stays as it was.
    func part(_ story: StoryScript) throws {
        let own = try story.step("fay", "GET /v1/notes?club={club}", nil, 200)
        #expect(own["items"]?.elements.compactMap { $0["id"]?.string } == [story.things["hello"] ?? ""])

        try story.step("fay", "PATCH /v1/notes/{hello}", #"{"body":"Hm"}"#, 403)
        try story.step(
            "fay", "DELETE /v1/notes/{hello}", nil, 204,
            Self.all("hello deleted").but(["dot's list": "hello leave (deleted)"]))
        try story.step(
            "cem", "DELETE /v1/clubs/{club}/members/{cem}?notes=nameless", nil, 204,
            Self.all("map updated, rope updated, back updated, standing deleted, member deleted").but([
                "cem": "map updated, rope updated, back updated, standing deleted, membership deleted",
                "dot's list": "map enter, rope enter, back enter", "lena's club": "snapshot",
            ]))
        let rope = try story.step("dot", "GET /v1/notes/{rope}", nil, 200)
        #expect(rope["body"]?.string == "rope!" && !rope.text.contains(story.things["cem"] ?? "?"), "\(rope.text)")
        try story.step(
            "ben", "DELETE /v1/clubs/{club}/members/{ben}?notes=delete", nil, 204,
            .init(
                "same deleted, again deleted, standing deleted, standing deleted, member deleted, rope updated",
                by: ["lena", "ada", "dot"]
            )
            .but([
                "ben":
                    "same deleted, again deleted, standing deleted, standing deleted, membership deleted",
                "dot's list": "same leave (deleted), again leave (deleted), rope updated", "lena's club": "snapshot",
            ]))
        for name in ["ben", "cem", "fay", "eve"] { try story.isClosed(to: name) }
        try story.step(
            "lena", "PATCH /v1/clubs/{club}", #"{"isArchived":true}"#, 200,
            .init("club updated", by: ["lena", "ada", "dot"]).but(["ada's pace": "snapshot"]))
        try story.step("ada", "POST /v1/notes", #"{"book":"{book}","club":"{club}","body":"Too late"}"#, 409)
        let kept = try story.step("dot", "GET /v1/clubs/{club}/notes?limit=100", nil, 200)
        #expect(kept["items"]?.elements.map { $0 }.count == 9, "\(kept.text)")
    }
}
