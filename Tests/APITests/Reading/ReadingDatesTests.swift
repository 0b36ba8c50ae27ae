import API
import Foundation
import JSON
import SharedByTests
import Testing

@Suite("Dates of readings", .serialized, .ownThreads)
struct ReadingDatesTests {
    private static func day(_ day: String) -> String { "\(day)T00:00:00.000Z" }

    @Test("A reading created with finishedAt is finished, and reaches all thresholds")
    func before() throws {
        let story = try ClubStory()
        let service = story.service
        let note = try story.note("0.9")
        let start = try service.head(token: story.ben)
        let dates = #","startedAt":"2019-06-01T00:00:00Z","finishedAt":"2019-08-31T00:00:00+00:00""#
        // An open reading does not prevent it.
        let made = try service.send(
            "POST", "/v1/readings", "{\"book\":\"\(story.book)\"\(dates)}", token: story.ben)
        #expect(made.status == 201 && made["state"]?.string == "finished", "\(made.text)")
        #expect(made["progress"]?.integer == 1 && made["page"]?.integer == 100 && made["number"]?.integer == 2)
        #expect(made["startedAt"]?.string == Self.day("2019-06-01"))
        #expect(made["finishedAt"]?.string == Self.day("2019-08-31"))
        #expect(try service.events(after: start, token: story.ben) == ["reading created", "note unlocked"])
        #expect(try story.seen() == [note])
        let card = try service.send("GET", "/v1/cards/\(made["id"]?.string ?? "")", token: story.ben)
        #expect(card["startedAt"]?.string == Self.day("2019-06-01"))
        let open = try service.send("GET", "/v1/readings/\(story.reading)", token: story.ben)
        #expect(open["startedAt"] == nil && open["finishedAt"]?.isNull == true)
        // A past reading is neither the current nor the latest one.
        let abandoned = try service.send(
            "PATCH", "/v1/readings/\(story.reading)", #"{"state":"abandoned","pageCount":200}"#, token: story.ben)
        #expect(abandoned.status == 200)
        let own = try service.send(
            "POST", "/v1/notes", "{\"book\":\"\(story.book)\",\"position\":{\"page\":100},\"body\":\"x\"}",
            token: story.ben)
        #expect(own["progress"]?.double == 0.5, "\(own.text)")
    }

    @Test("startedAt and finishedAt can be set and corrected later, and a standing that shows the end follows")
    func corrected() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        try story.createStanding(sharing: "exact")
        let path = "/v1/readings/\(story.reading)"
        func patch(_ body: String) throws -> Answer { try service.send("PATCH", path, body, token: story.ben) }
        func given(_ body: String) throws -> [String] {
            let answer = try patch(body)
            #expect(answer.status == 200, "\(body): \(answer.text)")
            return ["state", "startedAt", "finishedAt"].map { answer[$0]?.string ?? "-" }
        }
        func finished() throws -> String? { try story.list("standings").first?["finishedAt"]?.string }
        #expect(
            try given(#"{"startedAt":"2019-06-01T00:00:00Z"}"#) == ["reading", Self.day("2019-06-01"), "-"])
        #expect(
            try given(#"{"finishedAt":"2019-08-31T00:00:00Z"}"#)
                == ["finished", Self.day("2019-06-01"), Self.day("2019-08-31")])
        #expect(try finished() == Self.day("2019-08-31"))
        let start = try service.head(token: story.ben)
        #expect(
            try given(#"{"state":"finished","finishedAt":"2019-09-01T00:00:00Z"}"#)
                == ["finished", Self.day("2019-06-01"), Self.day("2019-09-01")])
        #expect(try service.events(after: start, token: story.ben) == ["reading updated", "standing updated"])
        #expect(try finished() == Self.day("2019-09-01"))
        let same = try patch(#"{"finishedAt":"2019-09-01T00:00:00.000Z","isFinished":true}"#)
        #expect(same.fields["lectern-unchanged"] == "true")
        #expect(try given(#"{"startedAt":null}"#) == ["finished", "-", Self.day("2019-09-01")])
        #expect(try given(#"{"isFinished":false,"finishedAt":null}"#) == ["reading", "-", "-"])
        #expect(try finished() == nil)
        let now = try patch(#"{"isFinished":true,"finishedAt":null}"#)
        #expect(now["finishedAt"]?.string.map { $0 > Self.day("2026-01-01") } == true, "\(now.text)")
    }

    @Test("A date that is in the future, out of order or contradicts the state is refused with its pointer")
    func refused() throws {
        let story = try ClubStory()
        let service = story.service
        let path = "/v1/readings/\(story.reading)"
        let rows = [
            (#""startedAt":"2999-01-01T00:00:00Z""#, "/startedAt"),
            (#""finishedAt":"2999-01-01T00:00:00Z""#, "/finishedAt"),
            (#""startedAt":"2019-06-02T00:00:00Z","finishedAt":"2019-06-01T00:00:00Z""#, "/finishedAt"),
            (#""startedAt":"yesterday""#, "/startedAt"), (#""finishedAt":7"#, "/finishedAt"),
        ]
        for (members, pointer) in rows {
            let made = try service.send(
                "POST", "/v1/readings", "{\"book\":\"\(story.book)\",\"isReread\":true,\(members)}", token: story.ben)
            #expect(made.status == 422 && made.pointers == [pointer], "\(members): \(made.text)")
            let patched = try service.send("PATCH", path, "{\(members)}", token: story.ben)
            #expect(patched.status == 422 && patched.pointers == [pointer], "\(members): \(patched.text)")
        }
        let end = #""finishedAt":"2019-06-01T00:00:00Z""#
        for state in [#""state":"paused""#, #""isFinished":false"#] {
            let answer = try service.send("PATCH", path, "{\(state),\(end)}", token: story.ben)
            #expect(answer.pointers == ["/finishedAt"], "\(answer.text)")
        }
        #expect(try service.send("PATCH", path, "{\(end)}", token: story.ben).status == 200)
        let later = try service.send("PATCH", path, #"{"startedAt":"2019-06-02T00:00:00Z"}"#, token: story.ben)
        #expect(later.pointers == ["/startedAt"], "\(later.text)")
        let cleared = try service.send("PATCH", path, #"{"finishedAt":null}"#, token: story.ben)
        #expect(cleared.pointers == ["/finishedAt"], "\(cleared.text)")
    }

    @Test("The Markdown export says when readings began, and nothing if that is unknown")
    func written() throws {
        let story = try ClubStory()
        let service = story.service
        for dates in [
            #","finishedAt":"2019-08-31T00:00:00Z""#,
            #","startedAt":"2020-01-02T00:00:00Z","finishedAt":"2020-02-03T00:00:00Z""#,
        ] {
            _ = try service.make("/v1/readings", "{\"book\":\"\(story.book)\"\(dates)}", token: story.ben)
        }
        #expect(try service.send("PUT", "/v1/books/\(story.book)/knowledge", "{}", token: story.ben).status == 201)
        let text = try service.send("GET", "/v1/me/export?format=markdown", token: story.ben).text
        #expect(text.contains("Known already: 100 %\n"))
        #expect(text.contains("### Reading 2: finished 2019-08-31, finished, page 100, 100 %"), "\(text)")
        #expect(text.contains("### Reading 3: begun 2020-01-02, finished 2020-02-03, finished, page 100, 100 %"))
        let table = try service.send("GET", "/v1/me/export?format=csv", token: story.ben).text
        #expect(table.contains(",2,finished,1,100,,2019-08-31T00:00:00.000Z,"), "\(table)")
        #expect(table.contains(",3,finished,1,100,2020-01-02T00:00:00.000Z,2020-02-03T00:00:00.000Z,"))
        #expect(table.contains("knowledge,Kindred,,,,,1,,"))
    }
}
