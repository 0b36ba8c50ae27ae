import API
import Foundation
import JSON
import SharedByTests
import Testing

/// Tests of titles and names in the rows of a club, which save a client a second request.
@Suite("Titles and names in clubs", .serialized, .ownThreads)
struct LabelTests {
    @Test("Runs and meetings show the title of their book, and follow it in the commit that changes it")
    func titles() throws {
        let story = try ClubStory()
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        let run = try story.choose()
        let meeting = try story.meeting(",\"book\":\"\(story.book)\"")
        let other = try story.meeting()
        let (runs, meetings) = ("\(club)/runs/\(run)", "\(club)/meetings/\(meeting)")
        let before = try [runs, meetings].map { try service.send("GET", $0, token: story.ben) }
        #expect(before[0]["title"]?.string == "Kindred" && before[1]["bookTitle"]?.string == "Kindred")
        #expect(try service.send("GET", "\(club)/meetings/\(other)", token: story.ben)["bookTitle"]?.isNull == true)
        let start = try service.head(token: story.ben)
        let watcher = try Watcher(service, "\(club)/runs?fields=title", token: story.ben)
        #expect(watcher.wait(count: 1))
        #expect(try service.send("PATCH", "/v1/books/\(story.book)", "{\"title\":\"Wild Seed\"}").status == 200)
        #expect(
            try service.events(after: start, token: story.ben) == ["book updated", "run updated", "meeting updated"])
        #expect(watcher.wait(count: 2) && watcher.events[1].data.contains("\"title\":\"Wild Seed\""))
        for (path, old) in zip([runs, meetings], before) {
            let new = try service.send("GET", path, token: story.ben)
            #expect(new.etag != old.etag && new.text.contains("Wild Seed"), "\(new.text)")
        }
        let last = try service.head(token: story.ben)
        #expect(try service.send("PATCH", "/v1/books/\(story.book)", "{\"pageCount\":99}").status == 200)
        #expect(try service.events(after: last, token: story.ben) == ["book updated"])
        #expect(try service.send("PATCH", meetings, "{\"book\":null}", token: story.ada)["bookTitle"]?.isNull == true)
    }

    @Test("Standings and attendances show the name of their reader, and follow it in the commit that changes it")
    func names() throws {
        let story = try ClubStory()
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        try story.choose()
        try story.createStanding(sharing: "milestones")
        let own = "\(club)/members/\(story.benID)"
        #expect(try service.send("PATCH", own, "{\"sharesWithModerators\":\"exact\"}", token: story.ben).status == 200)
        let attendances = "\(club)/meetings/\(try story.meeting())/attendance"
        #expect(try service.send("PUT", attendances, "{\"answer\":\"yes\"}", token: story.ben)["name"]?.string == "Ben")
        let dora = try service.reader("Dora")
        try story.join(dora)
        let heads = try [story.ada, dora].map { try service.head(token: $0) }
        #expect(try service.send("PATCH", "/v1/me", "{\"name\":\"Benjamin\"}", token: story.ben).status == 200)
        for (token, head) in zip([story.ada, dora], heads) {
            // Both receive one standing, each in their own view.
            let received = try service.events(after: head, token: token)
            #expect(received == ["member updated", "standing updated", "attendance updated"], "\(received)")
            let lists = try ["\(club)/standings", "\(attendances)s"].map { try service.send("GET", $0, token: token) }
            #expect(lists.allSatisfy { $0["items"]?.elements.first { _ in true }?["name"]?.string == "Benjamin" })
        }
        #expect(try service.send("GET", attendances, token: story.ben)["name"]?.string == "Benjamin")
    }

    @Test("A changed name updates many rows in slices, with one event for each row")
    func many() throws {
        let story = try ClubStory()
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        let meeting = "{\"startsAt\":\"2090-12-01T18:30:00Z\",\"book\":\"\(story.book)\"}"
        let line = "{\"method\":\"POST\",\"path\":\"\(club)/meetings\",\"body\":\(meeting)}"
        let batch = "{\"atomic\":false,\"requests\":[\(Array(repeating: line, count: 100).joined(separator: ","))]}"
        for _ in 0..<3 { #expect(try service.send("POST", "/v1/batch", batch, token: story.ada).status == 200) }
        let watcher = try Watcher(service, "\(club)/meetings?fields=bookTitle", token: story.ben)
        #expect(watcher.wait(count: 1))
        #expect(try service.send("PATCH", "/v1/books/\(story.book)", "{\"title\":\"Wild Seed\"}").status == 200)
        #expect(watcher.wait(count: 301))
        let ids = Set(
            watcher.events.dropFirst().compactMap { try? JSONDocument(Array($0.data.utf8)).root["id"]?.string })
        #expect(ids.count == 300 && watcher.events.dropFirst().allSatisfy { $0.data.contains("Wild Seed") })
        #expect(watcher.names.count == 301)
    }
}
