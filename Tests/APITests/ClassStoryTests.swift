import JSON
import SharedByTests
import Testing

/// A school class: a teacher who knows the book, and pupils who are to read it for the first time.
@Suite("A school class")
struct ClassStoryTests {
    private static let pupils = ["ana", "bo", "cy"]

    @Test(
        "The teacher sees ahead, the pupils see what they have read, and each other's progress no more exactly than they wish"
    )
    func story() throws {
        let story = try StoryScript("teacher", "ana", "bo", "cy", "parent")
        let all = { (words: String) in
            Dictionary(uniqueKeysWithValues: (["teacher"] + Self.pupils).map { ($0, words) })
        }
        try story.step(
            "admin", "POST /v1/books", #"{"title":"Holes","pageCount":230}"#, 201,
            all("book created").merging(["parent": "book created"]) { $1 }, makes: "book")
        try story.step(
            "teacher", "POST /v1/clubs", #"{"name":"7b","hindsight":"place"}"#, 201,
            ["teacher": "member created, club created, membership created"], makes: "club")
        let code = try story.step(
            "teacher", "POST /v1/clubs/{club}/invitations", #"{"usesMax":9}"#, 201, ["teacher": "invitation created"])
        // The teacher knows it, and need not pretend to read: it is told to nobody else.
        try story.step(
            "teacher", "PUT /v1/books/{book}/knowledge", "{}", 201, ["teacher": "knowledge created"])
        var inside = ["teacher"]
        for name in Self.pupils {
            var told = Dictionary(uniqueKeysWithValues: inside.map { ($0, "member created") })
            told["teacher"] = "member created, invitation updated"
            told[name] = "member created, membership created"
            try story.step(
                name, "POST /v1/memberships", #"{"invitation":"\#(code["code"]?.string ?? "")"}"#, 201, told)
            inside.append(name)
        }
        try plan(story, all)
        try read(story, all)
        try end(story, all)
    }

    /// Chapters are all that is known; nobody has another edition.
    private func plan(_ story: StoryScript, _ all: (String) -> [String: String]) throws {
        try story.step(
            "teacher", "PUT /v1/clubs/{club}/books/{book}", #"{"state":"current"}"#, 201, all("clubBook created"))
        let chapters = (1...10).map { #"{"label":"\#($0)"}"# }.joined(separator: ",")
        try story.step(
            "teacher", "PUT /v1/books/{book}/chapters", #"{"chapters":[\#(chapters)]}"#, 201,
            all("chapters created").merging(["parent": "chapters created"]) { $1 })
        for (name, chapter, day) in [("Week 1", 4, "08"), ("Week 2", 8, "15")] {
            try story.step(
                "teacher", "POST /v1/clubs/{club}/milestones",
                #"{"name":"\#(name)","at":{"chapter":\#(chapter)},"dueAt":"2090-01-\#(day)T08:00:00Z"}"#, 201,
                all("milestone created"), makes: name)
        }
        try story.step("ana", "DELETE /v1/clubs/{club}/milestones/{Week 1}", nil, 403)
        for name in Self.pupils {
            try story.step(
                name, "POST /v1/clubs/{club}/standings", "{}", 201,
                all("standing created").merging([name: "reading created, standing created"]) { $1 })
            let list = try story.step(name, "GET /v1/readings", nil, 200)
            story.name("\(name)'s", list["items"]?.elements.compactMap { $0["id"]?.string }.first)
        }
    }

    private func read(_ story: StoryScript, _ all: (String) -> [String: String]) throws {
        func enter(_ name: String, _ place: String, _ told: [String: String] = [:]) throws {
            var told = told
            told[name] = "entry created, reading updated" + (told[name].map { ", \($0)" } ?? "")
            try story.step(name, "POST /v1/readings/{\(name)'s}/entries", #"{"at":{\#(place)}}"#, 201, told)
        }
        // What the teacher wants to talk about is at the end of the third chapter, and for the end of the book.
        try story.step(
            "teacher", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","at":{"chapter":3,"fraction":1},"body":"Why onions?"}"#, 201,
            ["teacher": "note created"], makes: "onions")
        try story.step(
            "teacher", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","opens":"finished","body":"Who is K. B.?"}"#,
            201, ["teacher": "note created"], makes: "last question")
        try story.step(
            "teacher", "POST /v1/notes", #"{"book":"{book}","club":"{club}","opens":"everyone","body":"Welcome"}"#,
            201, all("note created"), makes: "welcome")
        // A pupil who is ahead speaks of it where it is.
        try enter(
            "ana", #""chapter":6,"fraction":0.5"#,
            all("standing updated").merging(["ana": "note unlocked, standing updated"]) { $1 })
        try story.step(
            "ana", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","at":{"chapter":6,"fraction":0.5},"body":"A boat!"}"#,
            201, ["teacher": "note created", "ana": "note created"], makes: "boat")
        #expect(try story.who(of: "teacher", "ana", "bo", "cy", sees: "boat") == "teacher ana")
        // Bo is in the third chapter, and has not come to its end.
        try enter("bo", #""chapter":3,"fraction":0.9"#)
        #expect(try story.who(of: "teacher", "ana", "bo", "cy", sees: "onions") == "teacher ana")
        try enter(
            "bo", #""chapter":4"#, all("standing updated").merging(["bo": "note unlocked, standing updated"]) { $1 })
        #expect(try story.who(of: "teacher", "ana", "bo", "cy", sees: "onions") == "teacher ana bo")
        // The teacher lets it open later: who has not come so far drops it, and the others keep it.
        try story.step(
            "teacher", "PATCH /v1/notes/{onions}", #"{"opensAt":0.5}"#, 200,
            ["teacher": "note updated", "ana": "note updated", "bo": "note hidden"])
        try story.step("bo", "PATCH /v1/notes/{onions}", #"{"opensAt":0.9}"#, 404)
        try story.step("ana", "PATCH /v1/notes/{onions}", #"{"opensAt":0.9}"#, 403)
        // Bo asks the teacher alone, and the class when the answer is worth it: who has not come so far hears nothing.
        try story.step(
            "bo", "POST /v1/notes",
            #"{"book":"{book}","club":"{club}","at":{"chapter":3,"fraction":0.5},"kind":"question","audience":"moderators","body":"Is it me?"}"#,
            201, ["teacher": "note created", "bo": "note created"], makes: "question")
        #expect(try story.who(of: "teacher", "ana", "bo", "cy", sees: "question") == "teacher bo")
        try story.step("ana", "GET /v1/notes/{question}", nil, 404)
        try story.step(
            "bo", "PATCH /v1/notes/{question}", #"{"audience":"club"}"#, 200,
            ["teacher": "note updated", "bo": "note updated", "ana": "note unlocked"])
        #expect(try story.who(of: "teacher", "ana", "bo", "cy", sees: "question") == "teacher ana bo")
        try story.step("bo", "PATCH /v1/notes/{question}", #"{"audience":"moderators"}"#, 422)
        // What an entry says for the class is a note like any, made with it.
        try story.step(
            "cy", "POST /v1/readings/{cy's}/entries",
            #"{"at":{"chapter":2},"note":{"kind":"prediction","body":"He digs","club":"{club}"}}"#, 201,
            [
                "cy": "entry created, reading updated, note created", "teacher": "note created", "ana": "note created",
                "bo": "note created",
            ])
        // How the class gets on: no more than its standings show.
        let pace = try story.step("teacher", "GET /v1/clubs/{club}/books/{book}/pace", nil, 200)
        let reached = pace["aims"]?.elements.compactMap { $0["reached"]?.integer }
        #expect(reached == [2, 0] && pace["progress"]?.double == 0.3, "\(pace.text)")
        for pupil in Self.pupils {
            try story.step("teacher", "GET /v1/readings/{\(pupil)'s}", nil, 404)
            try story.step("teacher", "GET /v1/readings/{\(pupil)'s}/pace", nil, 404)
        }
        try story.step("parent", "GET /v1/clubs/{club}", nil, 404)
    }

    private func end(_ story: StoryScript, _ all: (String) -> [String: String]) throws {
        try story.step(
            "ana", "PATCH /v1/readings/{ana's}", #"{"isFinished":true}"#, 200,
            all("standing updated").merging(["ana": "reading updated, note unlocked, standing updated"]) { $1 })
        #expect(try story.who(of: "ana", "bo", "cy", sees: "last question") == "ana")
        // Cy goes to another school: nothing of the class is told there, and the class keeps what it has.
        try story.step(
            "teacher", "DELETE /v1/clubs/{club}/members/{cy}", nil, 204,
            [
                "teacher": "standing deleted, member deleted, removal created",
                "ana": "standing deleted, member deleted",
                "bo": "standing deleted, member deleted", "cy": "standing deleted, membership deleted",
            ])
        for path in ["", "/notes", "/standings", "/books/{book}/pace"] {
            try story.step("cy", "GET /v1/clubs/{club}\(path)", nil, 404)
        }
        try story.step("cy", "GET /v1/notes/{welcome}", nil, 404)
        try story.step(
            "teacher", "PATCH /v1/clubs/{club}/books/{book}", #"{"state":"read"}"#, 200,
            all("clubBook updated, standing updated, standing updated").merging(["cy": ""]) { $1 })
        try story.step(
            "teacher", "PATCH /v1/clubs/{club}", #"{"isArchived":true}"#, 200,
            all("club updated").merging(["cy": ""]) { $1 })
        try story.step("bo", "POST /v1/notes/{welcome}/replies", #"{"body":"Late"}"#, 409)
    }
}
