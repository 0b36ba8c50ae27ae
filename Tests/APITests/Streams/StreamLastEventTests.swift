import JSON
import SharedByTests
import Testing

/// Tests of the last event of a stream when the resource that it belongs to is deleted, or its reader leaves the club.
@Suite("Last events of streams", .ownThreads)
struct StreamLastEventTests {
    /// Streams, and the request that ends them all, with the last event of each. Ben moderates the club.
    struct Row: CustomTestStringConvertible {
        let end: String
        let streams: [String: String]
        var testDescription: String { end }
    }

    static let rows = [
        Row(end: "/v1/books/{other}", streams: ["/v1/books/{other}/editions": "leave deleted"]),
        Row(
            end: "/v1/readings/{reading}",
            streams: [
                "/v1/readings/{reading}/entries": "leave deleted", "/v1/readings/{reading}/entries/{entry}": "deleted",
                "/v1/readings/{reading}/rating": "deleted", "/v1/readings/{reading}/pace": "deleted",
            ]),
        Row(end: "/v1/shelves/{shelf}", streams: ["/v1/shelves/{shelf}/books": "leave deleted"]),
        Row(end: "/v1/notes/{note}", streams: ["/v1/notes/{note}/reactions": "deleted"]),
        Row(
            end: "{club}/meetings/{meeting}",
            streams: [
                "{club}/meetings/{meeting}": "deleted", "{club}/meetings/{meeting}/notes": "deleted",
                "{club}/meetings/{meeting}/attendances": "leave deleted",
            ]),
        Row(
            end: "{club}/runs/{run}",
            streams: [
                "{club}/runs/{run}/pace": "deleted", "{club}/runs/{run}/ratings": "deleted",
                "{club}/milestones?run={run}": "leave deleted", "{club}/notes?run={run}": "leave deleted",
            ]),
        Row(end: "{club}/standings/{standing}", streams: ["{club}/standings/{standing}": "deleted"]),
        Row(
            end: "{club}/members/{ben}",
            streams: [
                "{club}": "leave noLongerYours", "{club}/members": "leave noLongerYours",
                "{club}/members/{ben}": "deleted", "/v1/notes/{note}": "leave noLongerYours",
                "/v1/notes/{note}/reactions": "leave noLongerYours", "{club}/invitations": "deleted",
                "{club}/standings/{standing}": "deleted", "{club}/presence": "leave noLongerYours",
            ]),
        Row(
            end: "{club}",
            streams: [
                "{club}": "deleted", "{club}/members": "leave deleted", "{club}/members/{ben}": "leave deleted",
                "/v1/notes/{note}": "leave deleted", "/v1/notes/{note}/reactions": "leave deleted",
                "{club}/invitations": "leave deleted", "{club}/standings/{standing}": "leave deleted",
            ]),
    ]

    @Test("A stream ends with an event when the resource that it belongs to is deleted or left", arguments: rows)
    func ends(_ row: Row) throws {
        let story = try ClubStory()
        let service = story.service
        let club = "/v1/clubs/\(story.club)"
        func make(_ path: String, _ body: String, by token: String? = nil) throws -> String {
            try service.make(path, body, token: token ?? story.ben)
        }
        #expect(
            try service.send("PATCH", "\(club)/members/\(story.benID)", #"{"role":"owner"}"#, token: story.ada).status
                == 200)
        #expect(
            try service.send("PATCH", "\(club)/members/\(story.benID)", #"{"shares":"exact"}"#, token: story.ben).status
                == 200)
        var ids = ["club": club, "ben": story.benID, "reading": story.reading]
        ids["run"] = try make("\(club)/runs", #"{"book":"\#(story.book)","state":"current"}"#)
        ids["other"] = try make("/v1/books", #"{"title":"Dawn"}"#)
        ids["shelf"] = try make("/v1/shelves", #"{"name":"Sea"}"#)
        ids["entry"] = try story.read("0.5")
        ids["note"] = try story.note("0")
        ids["meeting"] = try story.meeting()
        ids["standing"] = try make("\(club)/standings", "{}")
        #expect(
            try service.send("PUT", "/v1/readings/\(story.reading)/rating", #"{"stars":4}"#, token: story.ben).status
                == 201)
        func filled(_ text: String) -> String { ids.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) } }
        let streams = try row.streams.map { path, last in
            (path, last, try Watcher(service, filled(path), token: story.ben))
        }
        for (path, _, watcher) in streams { #expect(watcher.wait(count: 1), "\(path): \(watcher.head)") }
        let isAdas = row.end.contains("notes")
        let end = try service.send("DELETE", filled(row.end), token: isAdas ? story.ada : story.ben)
        #expect(end.status == 204, "\(end.text)")
        for (path, last, watcher) in streams {
            #expect(watcher.wait { $0.isComplete }, "\(path) stays open: \(watcher.events.map(\.received))")
            let event = watcher.events.last
            let reason = event?.value?["reason"]?.string.map { " \($0)" } ?? ""
            #expect((event?.name ?? "") + reason == last, "\(path): \(watcher.names) \(event?.data ?? "")")
        }
    }
}
