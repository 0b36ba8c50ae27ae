import JSON
import SharedByTests
import Testing

/// The story of a school class: a teacher who knows the book, and pupils who read it for the first time. The teacher is
/// the pupils' guardian; the parent is not in the class.
@Suite("A school class", .serialized, .ownThreads)
struct ClassStoryTests {
    static let pupils = ["ana", "bo", "cy"]
    static let members = ["teacher"] + pupils

    static func all(_ words: String) -> [String: String] { .init(words, by: members) }
    static func everybody(_ words: String) -> [String: String] { .init(words, by: members + ["parent"]) }

    @Test(
        "The teacher sees ahead; the pupils see what they have read, and others' progress only as shared",
        arguments: [false, true]
    )
    func story(hearsNoise: Bool) throws {
        let story = try StoryScript("teacher", "parent", hearsNoise: hearsNoise)
        try enroll(story)
        try gather(story)
        try plan(story)
        try read(story)
        try ask(story)
        try keep(story)
        try end(story)
        try part(story)
    }

    /// Creates the pupils, who are listed for their guardian only.
    private func enroll(_ story: StoryScript) throws {
        for name in Self.pupils {
            let body = #"{"name":"\#(name)","guardian":"{teacher}"}"#
            try story.step("teacher", "POST /v1/readers", body, 403)
            let pupil = try story.step("admin", "POST /v1/readers", body, 201)
            #expect(pupil["isManaged"]?.bool == true, "\(pupil.text)")
            // This must be a local request: no network request creates a token for another reader.
            let token = try story.service.send(
                "POST", "/v1/tokens", #"{"name":"desk","reader":"\#(pupil["id"]?.string ?? "")","scope":"write"}"#)
            #expect(token.status == 201, "\(token.text)")
            try story.enter(name, token["token"]?.string ?? "")
        }
        let managedAccounts = try story.step("teacher", "GET /v1/readers?guardian={teacher}", nil, 200)
        #expect(managedAccounts["items"]?.elements.map { $0 }.count == 3, "\(managedAccounts.text)")
        #expect(
            try story.step("parent", "GET /v1/readers?guardian={parent}", nil, 200)["items"]?.elements.isEmpty == true)
        let readers = try story.step("admin", "GET /v1/readers?limit=100", nil, 200)
        for name in Self.pupils {
            #expect(
                !readers.text.contains(story.things[name] ?? "")
                    && managedAccounts.text.contains(story.things[name] ?? "-"))
            try story.step("parent", "GET /v1/readers/{\(name)}", nil, 403)
        }
    }

    /// Adds the pupils to the club. They see its sharing rules first.
    private func gather(_ story: StoryScript) throws {
        try story.step(
            "admin", "POST /v1/books", #"{"title":"Holes","pageCount":230}"#, 201, Self.everybody("book created"),
            makes: "book")
        try story.step(
            "teacher", "POST /v1/clubs",
            #"{"name":"7b","defaultShares":"milestones","defaultSharesWithModerators":"exact"}"#,
            201,
            ["teacher": "member created, club created, membership created"], makes: "club")
        // The teacher records knowledge of the book, which no one else sees, instead of a reading.
        try story.step(
            "teacher", "PUT /v1/books/{book}/knowledge", "{}", 201, ["teacher": "knowledge created"])
        let invitation = try story.step(
            "teacher", "POST /v1/clubs/{club}/invitations", #"{"usesMax":9}"#, 201, ["teacher": "invitation created"])
        let code = #""invitation":"\#(invitation["code"]?.string ?? "")""#
        var inside = ["teacher"]
        for name in Self.pupils {
            let shown = try story.step(name, "POST /v1/links/preview", "{\(code)}", 200)
            #expect(shown["shares"]?.string == "milestones" && shown["sharesWithModerators"]?.string == "exact")
            // Cy shares nothing.
            let given = name == "cy" ? #","shares":"nothing","sharesWithModerators":null"# : ""
            try story.step(
                name, "POST /v1/memberships", "{\(code)\(given)}", 201,
                .init("member created", by: inside).but([
                    "teacher": "member created, invitation updated", name: "member created, membership created",
                ]))
            inside.append(name)
        }
    }

    /// Adds the chapters, which are the only known positions: there is no other edition.
    private func plan(_ story: StoryScript) throws {
        try story.step(
            "teacher", "POST /v1/clubs/{club}/runs", #"{"book":"{book}","state":"current"}"#, 201,
            Self.all("run created"), makes: "run")
        let chapters = (1...10).map { #"{"label":"\#($0)"}"# }.joined(separator: ",")
        try story.step(
            "teacher", "PUT /v1/books/{book}/chapters", #"{"chapters":[\#(chapters)]}"#, 201,
            Self.everybody("chapters created"))
        for (name, chapter, day) in [("Week 1", 4, "08"), ("Week 2", 8, "15")] {
            try story.step(
                "teacher", "POST /v1/clubs/{club}/milestones",
                #"{"name":"\#(name)","position":{"chapter":\#(chapter)},"dueAt":"2090-01-\#(day)T08:00:00Z"}"#, 201,
                Self.all("milestone created"), makes: name)
        }
        try story.step("ana", "DELETE /v1/clubs/{club}/milestones/{Week 1}", nil, 403)
        try story.listen("bo's list", "/v1/clubs/{club}/notes", as: "bo")
        try story.listen("teacher's view", "/v1/clubs/{club}/standings", as: "teacher")
        try story.listen("class", "/v1/clubs/{club}/standings", as: "ana")
        for name in Self.pupils {
            try story.step(
                name, "POST /v1/clubs/{club}/standings", "{}", 201,
                Self.all("standing created").but([
                    name: "reading created, standing created", "class": "standing enter",
                    "teacher's view": "standing enter",
                ]))
            let list = try story.step(name, "GET /v1/readings", nil, 200)
            story.name("\(name)'s", list["items"]?.elements.compactMap { $0["id"]?.string }.first)
        }
    }
}
