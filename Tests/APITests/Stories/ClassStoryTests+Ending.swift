import JSON
import Testing

extension ClassStoryTests {
    func end(_ story: StoryScript) throws {
        try story.step(
            "ana", "PATCH /v1/readings/{ana's}", #"{"isFinished":true}"#, 200,
            Self.all("standing updated").but([
                "ana": "reading updated, last question unlocked, standing updated", "class": "standing updated",
                "teacher's view": "standing updated",
            ]))
        #expect(try story.who(of: Self.pupils, sees: "last question") == "ana")
        // Cy leaves the school. Cy gets no more events of the class, and the class keeps Cy's notes.
        try story.step(
            "teacher", "DELETE /v1/clubs/{club}/members/{cy}", nil, 204,
            Self.all("standing deleted, member deleted").but([
                "teacher": "standing deleted, member deleted, removal created",
                "cy": "standing deleted, membership deleted", "class": "standing leave (deleted)",
                "teacher's view": "standing leave (deleted)",
            ]))
        try story.isClosed(to: "cy")
        try story.step("cy", "GET /v1/notes/{welcome}", nil, 404)
        #expect(try story.who(of: ["teacher", "ana", "bo"], sees: "dig") == "teacher ana bo")
        // Cy can still find and delete Cy's own notes.
        let own = try story.step("cy", "GET /v1/notes?club={club}", nil, 200)
        #expect(own["items"]?.elements.compactMap { $0["id"]?.string } == [story.things["dig"] ?? ""], "\(own.text)")
        try story.step("cy", "PATCH /v1/notes/{dig}", #"{"body":"Still"}"#, 403)
        try story.step(
            "cy", "DELETE /v1/notes/{dig}", nil, 204,
            .init("dig deleted", by: ["teacher", "ana", "bo"]).but([
                "cy": "entry updated", "bo's list": "dig leave (deleted)",
            ]))
    }

    func part(_ story: StoryScript) throws {
        try story.step(
            "teacher", "PATCH /v1/clubs/{club}/runs/{run}", #"{"state":"read"}"#, 200,
            .init("run updated, standing updated, standing updated", by: ["teacher", "ana", "bo"]).but([
                "class": "standing leave (changed), standing leave (changed)",
                "teacher's view": "standing leave (changed), standing leave (changed)",
            ]))
        // Only the guardian can delete the account.
        try story.step("parent", "DELETE /v1/readers/{cy}?confirm=cy", nil, 404)
        try story.step("teacher", "DELETE /v1/readers/{cy}", nil, 400)
        try story.step("teacher", "DELETE /v1/readers/{teacher}?confirm=teacher", nil, 409)
        try story.step(
            "teacher", "DELETE /v1/readers/{cy}?confirm=cy", nil, 204,
            ["teacher": "removal deleted", "cy": "reader deleted, token deleted"], ends: "cy")
        try story.step("cy", "GET /v1/me", nil, 401)
        let managedAccounts = try story.step("teacher", "GET /v1/readers?guardian={teacher}", nil, 200)
        #expect(managedAccounts["items"]?.elements.map { $0 }.count == 2, "\(managedAccounts.text)")
        try story.step(
            "teacher", "PATCH /v1/clubs/{club}", #"{"isArchived":true}"#, 200,
            .init("club updated", by: ["teacher", "ana", "bo"]))
        try story.step("bo", "POST /v1/notes", #"{"replyTo":"{welcome}","body":"Late"}"#, 409)
        #expect(try story.who(of: ["teacher", "ana", "bo"], sees: "welcome") == "teacher ana bo")
    }
}
