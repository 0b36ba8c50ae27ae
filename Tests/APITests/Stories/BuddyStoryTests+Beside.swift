import JSON
import Testing

extension BuddyStoryTests {
    /// Reads a second book at the same time, in a paperback that both have, and whose chapters were recorded at wrong
    /// pages.
    func readBeside(_ story: StoryScript) throws {
        let (book, firsts) = (story.things["book"], ["yuki's", "noa's"].map { story.things[$0] })
        try story.step(
            "yuki", "POST /v1/books", #"{"title":"Revenge"}"#, 201, Self.everybody("book created"), makes: "book")
        try story.step(
            "yuki", "POST /v1/clubs/{club}/runs", #"{"book":"{book}","state":"current"}"#, 201,
            Self.both("run created"))
        try story.step(
            "yuki", "POST /v1/books/{book}/editions", #"{"format":"paper","length":400}"#, 201,
            Self.everybody("edition created"), makes: "paper")
        try story.step(
            "yuki", "PUT /v1/books/{book}/chapters", #"{"chapters":[{},{"share":0.5},{"share":0.75},{"share":0.9}]}"#,
            201, Self.everybody("chapters created"))
        try story.step(
            "yuki", "PATCH /v1/editions/{paper}", #"{"anchors":[0,200,300,350]}"#, 200,
            Self.everybody("edition updated"))
        for name in ["yuki", "noa"] {
            try story.step(
                name, "POST /v1/readings", #"{"book":"{book}","edition":"{paper}"}"#, 201, [name: "reading created"],
                makes: "\(name)'s")
        }
        let note = try story.step(
            "noa", "POST /v1/notes", #"{"book":"{book}","club":"{club}","position":{"page":150},"body":"Carrots!"}"#,
            201,
            ["noa": "page 150 created", "noa's list": "page 150 enter"], makes: "page 150")
        #expect(note["progress"]?.double == 0.375 && note["share"]?.double == 0.475, "\(note.text)")
        try story.step(
            "admin", "PATCH /v1/editions/{paper}", #"{"anchors":[0,50,100,140]}"#, 200,
            Self.everybody("edition updated, chapters updated"))
        #expect(try story.step("noa", "GET /v1/notes/{page 150}", nil, 200).text == note.text)
        // By the current chapters page 60 is beyond page 150 by the former ones. The two do not compare.
        for page in [60, 189] {
            try enter(story, "yuki", #""position":{"page":\#(page)}"#)
            #expect(try story.who(of: "yuki", "noa", sees: "page 150") == "noa")
        }
        try enter(story, "yuki", #""position":{"page":190}"#, "page 150 unlocked")
        story.name("book", book)
        for (name, id) in zip(["yuki's", "noa's"], firsts) { story.name(name, id) }
    }
}
