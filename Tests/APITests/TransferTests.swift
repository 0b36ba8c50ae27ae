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
        let edition = try service.make("/v1/books/\(story.book)/editions", EditionTests.paper, token: story.ben)
        try wish("PUT", "/v1/books/\(story.book)/chapters", "{\"chapters\":[{\"label\":\"1\",\"title\":\"=A\"},{}]}")
        let recording = try service.make(
            "/v1/books/\(story.book)/editions", "{\"format\":\"audio\",\"length\":9}", token: story.ben)
        try wish("PUT", "/v1/editions/\(edition)/anchors", "{\"begins\":[10,200]}")
        for at in ["{\"page\":20,\"edition\":\"\(edition)\"}", "{\"seconds\":1.5,\"edition\":\"\(recording)\"}"] {
            try wish("POST", "/v1/readings/\(story.reading)/entries", "{\"at\":\(at)}")
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
            #"{"kind":"account","reader":"\#(story.benID)","name":"Ben","folded":"ben","password":"$y$j75$abcdefghijklmnopqrstuv$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq","passwordAt":"2026-01-02T03:04:05.678Z"}"#,
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

    @Test("A reader brings an account into their own, once, under the ids that things have, and nothing of others'")
    func own() throws {
        let from = try TransferStory()
        let lines = Array(try from.service.lines("/v1/me/export", token: from.story.ben).dropFirst().dropLast())
        let to = try TestService()
        let eve = try to.reader("Eve")
        let eveID = try to.send("GET", "/v1/me", token: eve)["id"]?.string ?? ""
        let account = "\"account\":\"\(from.story.benID)\","
        for _ in 0..<2 {
            let answer = try to.bring(lines, "/v1/me/import", more: account, token: eve)
            #expect(answer["refused"]?.elements.map { String(decoding: $0.encoded, as: UTF8.self) } == [])
        }
        let got = Array(try to.lines("/v1/me/export", token: eve).dropFirst().dropLast())
        // Books are the one's who brought them, and the name is the one that they have here.
        let expected = lines.map { $0.replacing(from.story.benID, with: eveID).replacing("\"Ben\"", with: "\"Eve\"") }
        let kinds = ["reading", "entry", "shelfBook"]
        #expect(got.filter { kinds.contains(kind($0)) } == expected.filter { kinds.contains(kind($0)) })
        #expect(got.map(kind) == expected.map(kind))
        #expect(got.count == lines.count)
        #expect(try to.send("GET", "/v1/scenes/phone/draft", token: eve).status == 200)
        #expect(try to.lines("/v1/admin/export").contains { $0.contains("keepsake") })

        // Who comes second finds that the ids are taken, whatever they say, and touches nothing.
        let mallory = try to.reader("Mallory")
        let before = try to.lines("/v1/me/export", token: eve)
        for more in [account, account + "\"replace\":true,"] {
            let answer = try to.bring(lines, "/v1/me/import", more: more, token: mallory)
            let kinds = answer["refused"]?.elements.compactMap { $0["problem"]?["type"]?.string } ?? []
            #expect(
                Set(kinds).isSubset(of: ["/problems/id-taken", "/problems/invalid"]) && kinds.count > 5,
                "\(answer.text)")
        }
        #expect(try to.lines("/v1/me/export", token: eve) == before)
        let adminID = try to.send("GET", "/v1/me")["id"]?.string ?? ""
        for line in [
            "{\"kind\":\"reader\",\"id\":\"\(OwnIDTests.id)\",\"name\":\"x\",\(times)}",
            "{\"kind\":\"reader\",\"id\":\"\(adminID)\",\"name\":\"x\",\(times)}",
            "{\"kind\":\"club\",\"id\":\"\(OwnIDTests.id)\",\"name\":\"x\",\(times)}",
            "{\"kind\":\"account\",\"reader\":\"\(adminID)\",\"name\":\"x\",\"folded\":\"x\"}",
            "{\"kind\":\"nothing\"}", "7",
        ] {
            let answer = try to.bring([line], "/v1/me/import", more: account, token: mallory)
            #expect(answer["refused"]?.elements.map { _ in 1 } == [1], "\(line): \(answer.text)")
        }
        #expect(try to.bring(lines, "/v1/admin/import", token: mallory).status == 403)
        #expect(try to.send("GET", "/v1/admin/export", token: mallory).status == 403)
        #expect(
            try to.send(
                "POST", "/v1/batch",
                "{\"atomic\":false,\"requests\":[{\"method\":\"POST\",\"path\":\"/v1/me/import\",\"body\":{\"lines\":[]}}]}",
                token: mallory
            ).text.contains("not-in-batch"))
    }

    private let times = "\"createdAt\":\"2026-01-02T03:04:05.678Z\",\"updatedAt\":\"2026-02-03T04:05:06.789Z\""

    @Test("What is there and says otherwise is refused by name, or written over where that is asked for and can be")
    func replacing() throws {
        let story = try ClubStory()
        let service = story.service
        _ = try story.read("0.5")
        let note = try service.make("/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"mine\"}", token: story.ben)
        let account = "\"account\":\"\(story.benID)\","
        let lines = try service.lines("/v1/me/export", token: story.ben).map {
            $0.replacing("\"body\":\"mine\"", with: "\"body\":\"theirs\"")
        }
        let body = lines.filter { $0.contains(note) }
        let refused = try service.bring(body, "/v1/me/import", more: account, token: story.ben)
        #expect(refused.text.contains("another in: body") && refused.text.contains("import-differs"), "\(refused.text)")
        let replaced = try service.bring(body, "/v1/me/import", more: account + "\"replace\":true,", token: story.ben)
        #expect(replaced["updated"]?.integer == 1, "\(replaced.text)")
        #expect(try service.send("GET", "/v1/notes/\(note)", token: story.ben)["body"]?.string == "theirs")
        let entries = lines.filter { $0.contains("\"entry\"") }.map { $0.replacing("0.5", with: "0.6") }
        let entry = try service.bring(entries, "/v1/me/import", more: account + "\"replace\":true,", token: story.ben)
        #expect(entry.text.contains("import-differs"), "\(entry.text)")
        // What was told before it was taken in was told as any other change.
        #expect(try service.events(after: "", token: story.ben).last == "note updated")
    }

    @Test("Readings and notes are a table without formulas, and a text; what nobody accepts is not written")
    func forms() throws {
        let from = try TransferStory()
        let table = try from.service.send("GET", "/v1/me/export?format=csv", token: from.story.ben)
        #expect(table.fields["content-type"] == "text/csv; charset=utf-8; header=present")
        #expect(table.fields["content-disposition"] == "attachment; filename=\"lectern-readings.csv\"")
        let entry = "entry,Kindred,,,1,,0.25,25,2026-01-01T00:00:00.000Z,,\"'-x\",\"'=1+1 \u{e9}\u{1F4D6}\"\r\n"
        #expect(table.text.hasPrefix("type,title,") && table.text.contains(entry), "\(table.text)")
        #expect(table.text.contains(",\"my own\n+ lines\"\r\n"))
        let text = try from.service.send(
            "GET", "/v1/me/export", token: from.story.ben, fields: ["Accept: text/markdown"])
        #expect(text.fields["content-type"] == "text/markdown; charset=utf-8")
        #expect(text.text.contains("## Kindred\n") && text.text.contains("> my own\n> + lines\n"), "\(text.text)")
        let other = try from.service.send("GET", "/v1/me/export", token: from.story.ben, fields: ["Accept: image/png"])
        #expect(other.status == 406)
        #expect(try from.service.send("GET", "/v1/me/export?format=pdf", token: from.story.ben).status == 400)
        #expect(try from.service.send("GET", "/v1/admin/export?reader=\(OwnIDTests.id)").status == 404)
    }
}
