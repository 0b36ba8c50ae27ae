import JSON
import SharedByTests
import Testing

/// The story of a library's club, from choosing a book to the archive. It reads two paper editions, an e-book and a
/// recording, with chapters known in two of the four. Lena leads it; Fay leaves again soon; Eve is not a member.
@Suite("A library's club", .serialized, .ownThreads)
struct LibraryStoryTests {
    static let readers = ["ada", "ben", "cem", "dot"]
    static let members = ["lena"] + readers

    static func all(_ words: String) -> [String: String] { .init(words, by: members) }
    /// Returns events for members and the readers outside the club, for changes of the catalogue.
    static func everybody(_ words: String) -> [String: String] { .init(words, by: members + ["fay", "eve"]) }

    @Test(
        "A club reads one book in four editions, and again, and no member gets a note that they have not reached",
        arguments: [false, true])
    func story(hearsNoise: Bool) throws {
        let story = try StoryScript("lena", "ada", "ben", "cem", "dot", "fay", "eve", hearsNoise: hearsNoise)
        try gather(story)
        try choose(story)
        try measure(story)
        try plan(story)
        try begin(story)
        try meet(story)
        try runEnding(story)
        try correct(story)
        try end(story)
        try readAgain(story)
        try part(story)
    }

    /// Founds the club; Fay joins and leaves.
    private func gather(_ story: StoryScript) throws {
        try story.step(
            "admin", "POST /v1/books", #"{"title":"Kindred","pageCount":400}"#, 201, Self.everybody("book created"),
            makes: "book")
        try story.step(
            "admin", "POST /v1/books", #"{"title":"Dawn"}"#, 201, Self.everybody("book created"), makes: "dawn")
        try story.step(
            "lena", "POST /v1/clubs", #"{"name":"The Library","defaultShares":"milestones"}"#, 201,
            ["lena": "member created, club created, membership created"], makes: "club")
        try story.isClosed(to: "ada")
        let invitation = try story.step(
            "lena", "POST /v1/clubs/{club}/invitations", #"{"usesMax":9}"#, 201, ["lena": "invitation created"])
        let code = #"{"invitation":"\#(invitation["code"]?.string ?? "")"}"#
        let shown = try story.step("ada", "POST /v1/links/preview", code, 200)
        #expect(shown["shares"]?.string == "milestones" && shown["sharesWithModerators"]?.isNull == true)
        var inside = ["lena"]
        for name in Self.readers + ["fay"] {
            try story.step(
                name, "POST /v1/memberships", code, 201,
                .init("member created", by: inside).but([
                    "lena": "member created, invitation updated", name: "member created, membership created",
                ]))
            inside.append(name)
        }
        try story.step(
            "fay", "POST /v1/notes", #"{"book":"{book}","club":"{club}","threshold":"everyone","body":"Hello!"}"#, 201,
            Self.all("hello created").but(["fay": "hello created"]), makes: "hello")
        try story.step(
            "fay", "DELETE /v1/clubs/{club}/members/{fay}?notes=keep", nil, 204,
            Self.all("member deleted").but(["fay": "membership deleted"]))
        try story.isClosed(to: "fay")
        let hello = try story.step("dot", "GET /v1/notes/{hello}", nil, 200)
        #expect(hello["authorName"]?.string == "fay", "\(hello.text)")
    }

    /// Chooses two books at once: members propose, and the club's owner decides.
    private func choose(_ story: StoryScript) throws {
        for name in ["eve", "fay"] {
            try story.step(name, "POST /v1/clubs/{club}/runs", #"{"book":"{book}"}"#, 404)
        }
        try story.step(
            "ada", "POST /v1/clubs/{club}/runs", #"{"book":"{book}","startsAt":"2090-01-01T00:00:00Z"}"#, 201,
            Self.all("run created"), makes: "run")
        for thing in ["second thoughts", "beside"] {
            try story.step(
                "ben", "POST /v1/clubs/{club}/runs", #"{"book":"{dawn}"}"#, 201, Self.all("run created"),
                makes: thing)
        }
        try story.step("ada", "PATCH /v1/clubs/{club}/runs/{run}", #"{"state":"current"}"#, 403)
        try story.step("cem", "DELETE /v1/clubs/{club}/runs/{second thoughts}", nil, 403)
        try story.step(
            "ben", "DELETE /v1/clubs/{club}/runs/{second thoughts}", nil, 204, Self.all("run deleted"))
        for run in ["run", "beside"] {
            try story.step(
                "lena", "PATCH /v1/clubs/{club}/runs/{\(run)}", #"{"state":"current"}"#, 200,
                Self.all("run updated"))
        }
        let current = try story.step("dot", "GET /v1/clubs/{club}/runs?state=current", nil, 200)
        let proposers = current["items"]?.elements.map { $0["proposedBy"]?.string } ?? []
        #expect(proposers == [story.things["ada"], story.things["ben"]], "\(current.text)")
    }

    /// Creates the editions with their measures; two have chapters.
    private func measure(_ story: StoryScript) throws {
        for (name, edition, form) in [
            ("ada", "ebook", #""ebook","storyStart":2,"storyEnd":82"#),
            ("ben", "audio", #""audio","length":40000,"storyStart":100,"storyEnd":39900,"narrator":"Kim Staunton""#),
            ("cem", "paper", #""paper","length":400,"storyStart":10,"storyEnd":390,"language":"en""#),
            ("dot", "old", #""paper","length":250,"storyStart":5,"storyEnd":245"#),
        ] {
            try story.step(
                name, "POST /v1/books/{book}/editions", #"{"format":\#(form)}"#, 201,
                Self.everybody("edition created"), makes: edition)
        }
        let chapters = (0..<20).map { #"{"label":"\#($0 + 1)","share":\#(Double($0) / 20)}"# }.joined(separator: ",")
        try story.step(
            "lena", "PUT /v1/books/{book}/chapters", #"{"chapters":[\#(chapters)]}"#, 201,
            Self.everybody("chapters created"))
        for (edition, start, step) in [("ebook", 2, 4), ("audio", 100, 1990)] {
            try story.step(
                "lena", "PATCH /v1/editions/{\(edition)}", Self.anchors(from: start, by: step), 200,
                Self.everybody("edition updated"))
        }
        try story.step("eve", "PATCH /v1/editions/{ebook}", Self.anchors(from: 3, by: 2), 403)
    }

    static func anchors(from start: Int, by step: Int) -> String {
        #"{"anchors":[\#((0..<20).map { "\(start + $0 * step)" }.joined(separator: ","))]}"#
    }
}
