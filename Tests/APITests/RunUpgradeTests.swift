import API
import Foundation
import JSON
import SharedByTests
import Testing

@Suite("An upgrade that makes runs of clubs' books", .serialized, .ownThreads)
struct RunUpgradeTests {
    /// A club with two books, and what there is in it.
    private func furnish(_ story: ClubStory, _ name: String) throws -> String {
        let service = story.service
        let club = try service.make("/v1/clubs", "{\"name\":\"\(name)\"}", token: story.ada)
        let invitation = try service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: story.ada)
        let code = invitation["code"]?.string ?? ""
        _ = try service.make("/v1/memberships", "{\"invitation\":\"\(code)\"}", token: story.ben)
        let dawn = try service.make("/v1/books", "{\"title\":\"Dawn\"}")
        for (book, state) in [(dawn, "read"), (story.book, "current")] {
            let put = try service.send(
                "PUT", "/v1/clubs/\(club)/books/\(book)", "{\"state\":\"\(state)\"}", token: story.ada)
            #expect(put.status == 201)
            let about = "\"book\":\"\(book)\""
            _ = try service.make(
                "/v1/clubs/\(club)/milestones", "{\(about),\"progress\":0.5,\"dueAt\":\"2090-01-01T00:00:00Z\"}",
                token: story.ada)
            _ = try service.make(
                "/v1/clubs/\(club)/meetings", "{\(about),\"startsAt\":\"2090-01-01T00:00:00Z\"}", token: story.ada)
            _ = try service.make("/v1/clubs/\(club)/standings", "{\(about)}", token: story.ben)
            _ = try service.make(
                "/v1/notes", "{\(about),\"club\":\"\(club)\",\"body\":\"x\",\"opens\":\"everyone\"}", token: story.ada)
        }
        return "/v1/clubs/\(club)/"
    }

    private let lists = ["books", "milestones", "meetings", "standings", "standings?book=", "notes"]

    /// A list as it is sent, without what an older program did not say.
    private func got(_ story: ClubStory, _ path: String) throws -> String {
        let path = path.hasSuffix("=") ? path + story.book : path
        let text = try story.service.send("GET", path, token: story.ben).text
        return text.replacing(#/,"(run|opens|authorName)":"[^"]*"|,"opensAt":[0-9.]+/#, with: "")
    }

    @Test("Two clubs have what they had, under its ids and tags, in the first runs of their books; no cursor is reset")
    func upgrade() throws {
        let story = try ClubStory()
        let service = story.service
        let clubs = try ["One", "Two"].map { try furnish(story, $0) }
        let paths = clubs.flatMap { club in lists.map { club + $0 } }
        let before = try paths.map { try got(story, $0) }
        let cursor = try service.head(token: story.ben)
        service.stop()
        try OldSchema(service.directory + "/lectern.sqlite").turn(to: OldSchema.runs - 1)
        try service.restart()

        #expect(try paths.map { try got(story, $0) } == before)
        #expect(
            try !clubs.contains { try service.send("GET", $0 + "notes", token: story.ben).text.contains("\"run\"") })
        let feed = try Watcher(service, "/v1/changes", token: story.ben, lastEventID: cursor)
        let books = try Watcher(service, clubs[0] + "books", token: story.ben, lastEventID: cursor)
        let runs = try service.send("GET", clubs[0] + "runs", token: story.ben)["items"]?.elements.map { $0 } ?? []
        #expect(runs.compactMap { $0["state"]?.string } == ["read", "current"])
        for run in runs {
            let id = run["id"]?.string ?? ""
            let parts = try ["milestones", "meetings", "standings", "notes"].map { list in
                try service.send("GET", "\(clubs[0])\(list)?run=\(id)", token: story.ben)["items"]?.elements.map {
                    $0["book"]?.string ?? ""
                } ?? []
            }
            #expect(parts == Array(repeating: [run["book"]?.string ?? ""], count: 4))
        }
        // The book again; what is there stays where it was.
        let again = try service.make(
            clubs[0] + "runs", "{\"book\":\"\(story.book)\",\"state\":\"current\"}", token: story.ada)
        let note = try service.send(
            "POST", "/v1/notes",
            "{\"book\":\"\(story.book)\",\"club\":\"\(clubs[0].split(separator: "/")[2])\",\"body\":\"y\",\"opens\":\"everyone\"}",
            token: story.ada)
        #expect(note["run"]?.string == again, "\(note.text)")
        for run in runs.compactMap({ $0["id"]?.string }) + [again] {
            let notes = try service.send("GET", "\(clubs[0])notes?run=\(run)", token: story.ben)
            #expect(notes["items"]?.elements.map { $0 }.count == 1)
        }
        #expect(feed.wait(count: 2) && feed.names == ["created", "created"])
        #expect(books.wait(count: 1) && books.names == ["enter"])
    }
}
