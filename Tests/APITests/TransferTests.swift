import Foundation
import JSON
import Model
import SharedByTests
import Testing

@testable import API
@testable import Store

/// A house with a row in each table, and ways out of it and into others.
struct TransferStory {
    let story: ClubStory
    var service: TestService { story.service }

    init() throws {
        story = try ClubStory(club: ",\"visibility\":\"listed\",\"moderatorsSeeAhead\":true")
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        let other = try service.reader("Cleo")
        let asked = try service.reader("Dora")
        try story.join(other)
        try story.remove(other)
        _ = try service.make("/v1/listings/\(story.club)/requests", "{\"message\":\"please\"}", token: asked)
        try story.choose()
        _ = try story.milestone("0.5", due: "2090-01-01T18:00:00Z")
        try story.readAlong(sharing: "exact")
        let note = try story.note("0.2")
        for (progress, time) in [("0.3", "2026-01-02T03:04:05.678Z"), ("0.25", "2026-01-01T00:00:00Z")] {
            _ = try service.make(
                "/v1/readings/\(story.reading)/entries",
                "{\"progress\":\(progress),\"note\":\"=1+1 \u{e9}\u{1F4D6}\",\"device\":\"-x\",\"happenedAt\":\"\(time)\"}",
                token: story.ben)
        }
        _ = try service.make("/v1/notes/\(note)/replies", "{\"body\":\"a reply\"}", token: story.ben)
        _ = try service.make(
            "/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"my own\\n+ lines\"}", token: story.ben)
        try wish("PUT", "/v1/notes/\(note)/reactions/love")
        let meeting = try story.meeting()
        try wish("PUT", "\(club)/meetings/\(meeting)/attendance", "{\"answer\":\"yes\"}")
        try wish("POST", "\(club)/calendars")
        let shelf = OwnIDTests.id
        try wish("PUT", "/v1/shelves/\(shelf)", "{\"name\":\"Sea\",\"club\":\"\(story.club)\"}")
        try wish("PUT", "/v1/shelves/\(shelf)/books/\(story.book)", "{}")
        try wish("PUT", "/v1/shelves/\(story.benID)/books/\(story.book)", "{}")
        try wish("PATCH", "/v1/settings", "{\"presence\":true}")
        try wish("PUT", "/v1/scenes/phone/draft", "{\"value\":[1.0,\"\\u0007\"]}")
        let again = try service.make("/v1/readings", "{\"book\":\"\(story.book)\",\"isReread\":true}", token: story.ben)
        try wish("PATCH", "/v1/readings/\(again)", "{\"state\":\"finished\"}")
        let ways = [
            #"{"kind":"account","reader":"\#(story.benID)","name":"Ben","folded":"ben","password":"$y$x","passwordAt":"2026-01-02T03:04:05.678Z"}"#,
            #"{"kind":"identity","issuer":"https://id.example","subject":"7","reader":"\#(story.benID)","createdAt":"2026-01-02T03:04:05.678Z"}"#,
        ]
        let brought = try service.bring(ways)
        #expect(brought["created"]?.integer == 2, "\(brought.text)")
        let keepsake =
            #"{"kind":"member","id":"0199b7c0-0f00-7001-8000-000000000009","club":"0199b7c0-0f00-7001-8000-000000000008"}"#
        let kept = try service.send(
            "POST", "/v1/me/import", "{\"account\":\"\(story.benID)\",\"lines\":[\(keepsake)]}", token: story.ben)
        #expect(kept["created"]?.integer == 1, "\(kept.text)")
    }

    private func wish(_ method: String, _ path: String, _ body: String? = nil) throws {
        let answer = try service.send(method, path, body, token: story.ben)
        #expect((200...201).contains(answer.status), "\(method) \(path): \(answer.text)")
    }
}

extension TestService {
    /// The lines of an export.
    func lines(_ path: String, token other: String? = nil) throws -> [String] {
        let answer = try send("GET", path, token: other)
        #expect(answer.status == 200, "\(answer.text)")
        let lines = answer.text.split(separator: "\n").map(String.init)
        #expect(lines.last == "{\"kind\":\"end\",\"lines\":\(lines.count - 2)}")
        return lines
    }

    /// What became of lines, without the first and the last.
    func bring(
        _ lines: [String], _ path: String = "/v1/admin/import", more: String = "", token other: String? = nil
    ) throws -> Answer {
        try send("POST", path, "{\(more)\"lines\":[\(lines.joined(separator: ","))]}", token: other)
    }
}

@Suite("Exports and imports", .serialized, .ownThreads)
struct TransferTests {
    private func kind(_ line: String) -> String {
        (try? JSONDocument(Array(line.utf8)).root["kind"]?.string) ?? ""
    }

    @Test(
        "Everything, with a row in each table that goes along, is the same after an import into another house, and again"
    )
    func everything() throws {
        let from = try TransferStory()
        let lines = try from.service.lines("/v1/admin/export")
        #expect(Set(lines.dropFirst().dropLast().map(kind)) == Set(StoredTable.portable.keys))
        #expect(!lines.contains { $0.contains("version") || $0.contains("digest\":\"x") || $0.contains("\"code\"") })
        let to = try TestService()
        let body = Array(lines.dropFirst().dropLast())
        let answer = try to.bring(body)
        #expect(answer["refused"]?.elements.map { String(decoding: $0.encoded, as: UTF8.self) } == [])
        #expect(answer["created"]?.integer == Int64(body.count) - 2, "\(answer.text)")
        // The house had an administrator of its own.
        let own = try to.send("GET", "/v1/me")["id"]?.string ?? ""
        let got = try to.lines("/v1/admin/export").dropFirst().dropLast().filter {
            !$0.contains("\"reader\",\"id\":\"\(own)\"")
        }
        #expect(Array(got) == body)
        let again = try to.bring(body)
        #expect(again["unchanged"]?.integer == Int64(body.count), "\(again.text)")
        #expect(
            Array(
                try to.lines("/v1/admin/export").dropFirst().dropLast().filter {
                    !$0.contains("\"reader\",\"id\":\"\(own)\"")
                }) == body)
    }

    @Test("An account, imported into an empty house, is exported to the same bytes")
    func account() throws {
        let from = try TransferStory()
        let lines = try from.service.lines("/v1/me/export", token: from.story.ben)
        #expect(try from.service.lines("/v1/admin/export?reader=\(from.story.benID)") == lines)
        #expect(
            !lines.contains { $0.contains("Ada") || $0.contains("\"role\":\"reader\"") || $0.contains("a thought") })
        let to = try TestService()
        let account = "\"account\":\"\(from.story.benID)\","
        for _ in 0..<2 {
            let answer = try to.bring(Array(lines.dropFirst().dropLast()), more: account)
            #expect(answer["refused"]?.elements.map { String(decoding: $0.encoded, as: UTF8.self) } == [])
            #expect(try to.lines("/v1/admin/export?reader=\(from.story.benID)") == lines)
        }
    }
}
