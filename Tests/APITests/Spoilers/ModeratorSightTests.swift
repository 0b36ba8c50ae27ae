import JSON
import SharedByTests
import Testing

/// Tests of visibility when a reader becomes or ceases to be a moderator while other changes happen.
@Suite("Notes for moderators at the start and end of the role", .serialized, .ownThreads)
struct ModeratorSightTests {
    /// Returns the changes of a note in a reader's log after a cursor.
    private func received(_ story: AudienceStory, of note: String, after start: String, to token: String) throws
        -> [String]
    {
        let page = try story.service.send("GET", "/v1/changes?limit=100&after=\(start)", token: token)
        return page["items"]?.elements.filter { $0["id"]?.string == note }.compactMap { $0["change"]?.string } ?? []
    }

    @Test(
        "A former moderator who was offline when a note for moderators was deleted receives the deletion"
    )
    func deleted() throws {
        let story = try AudienceStory()
        let service = story.service
        let (kept, note) = (
            try story.note(story.club.ada, story.toModerators), try story.note(story.club.ada, story.toModerators)
        )
        let mia = try service.send("GET", "/v1/me", token: story.mia)["id"]?.string ?? ""
        let start = try service.head(token: story.mia)
        #expect(try service.send("DELETE", "/v1/notes/\(note)", token: story.club.ada).status == 204)
        #expect(try received(story, of: note, after: start, to: story.mia) == ["deleted"])
        try story.make(mia, "member")
        for id in [kept, note] { #expect(try received(story, of: id, after: start, to: story.mia) == ["hidden"]) }
        let later = try service.head(token: story.mia)
        try story.make(mia, "moderator")
        try story.make(mia, "member")
        #expect(try received(story, of: note, after: later, to: story.mia).isEmpty)
        #expect(try received(story, of: kept, after: later, to: story.mia) == ["unlocked", "hidden"])
        #expect(try received(story, of: note, after: start, to: story.cem).isEmpty)
    }

    @Test("A new moderator sees nameless notes for moderators, also those of an author whom they had blocked")
    func nameless() throws {
        let story = try AudienceStory()
        let (service, ben) = (story.service, story.club.ben)
        let benID = try service.send("GET", "/v1/me", token: ben)["id"]?.string ?? ""
        #expect(try service.send("PUT", "/v1/me/blocks/\(benID)", token: story.cem).status == 201)
        let note = try story.note(ben, story.toModerators)
        #expect(
            try service.send("DELETE", "\(story.path)/members/\(benID)?notes=nameless", token: ben).status == 204)
        let start = try service.head(token: story.cem)
        try story.make(story.cemID, "moderator")
        #expect(try service.send("GET", "/v1/notes/\(note)", token: story.cem).status == 200)
        #expect(try received(story, of: note, after: start, to: story.cem) == ["unlocked"])
    }
}
