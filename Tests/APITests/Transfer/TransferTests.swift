import Foundation
import JSON
import Model
import SharedByTests
import Testing

@testable import API
@testable import Store

extension TestService {
    /// Returns the lines of an export.
    func lines(_ path: String, token other: String? = nil) throws -> [String] {
        let answer = try send("GET", path, token: other)
        #expect(answer.status == 200, "\(answer.text)")
        let lines = answer.text.split(separator: "\n").map(String.init)
        #expect(lines.last == "{\"kind\":\"end\",\"lines\":\(lines.count - 2)}")
        return lines
    }

    /// Imports lines, without the first and the last, and returns the response.
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
        "An export with rows in every table is the same after an import into another server, and again"
    )
    func everything() throws {
        let from = try TransferStory()
        let lines = try from.service.lines("/v1/admin/export")
        #expect(
            Set(lines.dropFirst().dropLast().map(kind)) == Set(StoredTable.exported.map(\.kind) + ["departed"])
        )
        #expect(!lines.contains { $0.contains("version") || $0.contains("digest\":\"x") || $0.contains("\"code\"") })
        let to = try TestService()
        let body = Array(lines.dropFirst().dropLast())
        let answer = try to.bring(body)
        #expect(answer["refused"]?.elements.map { String(decoding: $0.encoded, as: UTF8.self) } == [])
        // Two reactions, a cover and a guardian change existing rows, and the settings existed from the start.
        #expect(answer["created"]?.integer == Int64(body.count) - 5, "\(answer.text)")
        // The server has its own administrator.
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

    @Test("On another server, too, a reply's threshold rises with its root's, also below deleted replies")
    func answers() throws {
        let from = try TransferStory()
        let to = try TestService()
        _ = try to.bring(Array(from.service.lines("/v1/admin/export").dropFirst().dropLast()))
        let ada = try from.service.send("GET", "/v1/me", token: from.story.ada)["id"]?.string ?? ""
        let token =
            try to.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(ada)\"}")["token"]?.string ?? ""
        func notes() throws -> [(id: String, thread: String?, share: Double?)] {
            try to.send("GET", "/v1/clubs/\(from.story.club)/notes?limit=100", token: token)["items"]?.elements.map {
                ($0["id"]?.string ?? "", $0["thread"]?.string, $0["share"]?.double)
            } ?? []
        }
        let root = try #require(try notes().compactMap(\.thread).first { id in try notes().contains { $0.id == id } })
        #expect(
            try to.send("PATCH", "/v1/notes/\(root)", "{\"opensAt\":{\"progress\":0.9}}", token: token).status == 200)
        let thread = try notes().filter { $0.id == root || $0.thread == root }
        #expect(thread.count == 4 && thread.allSatisfy { $0.share ?? 0 >= 0.9 }, "\(thread)")
        #expect(try to.send("PATCH", "/v1/notes/\(root)", "{\"threshold\":\"finished\"}", token: token).status == 200)
        #expect(try notes().filter { $0.thread == root }.allSatisfy { $0.share == 1 })
    }

    @Test("Settings and a shelf in their initial state are in no export")
    func changedBack() throws {
        let scenario = try TestService()
        let before = try scenario.lines("/v1/admin/export")
        let me = try scenario.send("GET", "/v1/me")["id"]?.string ?? ""
        for zone in ["Europe/Lisbon", "UTC"] {
            #expect(try scenario.send("PATCH", "/v1/settings", "{\"timeZone\":\"\(zone)\"}").status == 200)
            let isSaid = try scenario.lines("/v1/admin/export").contains { $0.contains("\"kind\":\"settings\"") }
            #expect(isSaid == (zone != "UTC"))
        }
        for name in ["Soon", "Want to read"] {
            #expect(try scenario.send("PATCH", "/v1/shelves/\(me)", "{\"name\":\"\(name)\"}").status == 200)
        }
        #expect(try scenario.lines("/v1/admin/export") == before)
    }

    @Test("An account that is imported into an empty server is exported to the same bytes")
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

    @Test("A reader imports an account into their own, once, with its ids, and nothing of others")
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
        // The importing reader has added the books, and keeps the name they have here.
        let expected = lines.map { $0.replacing(from.story.benID, with: eveID).replacing("\"Ben\"", with: "\"Eve\"") }
        let kinds = ["reading", "entry", "shelfBook"]
        #expect(got.filter { kinds.contains(kind($0)) } == expected.filter { kinds.contains(kind($0)) })
        #expect(got.map(kind) == expected.map(kind))
        #expect(got.count == lines.count)
        #expect(try to.send("GET", "/v1/scenes/phone/draft", token: eve).status == 200)

        // A second reader finds the ids taken, whatever their rows contain, and changes nothing.
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

    @Test("An existing row that differs is refused by name, or replaced where that is requested and possible")
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
        #expect(refused.text.contains("differs in: body") && refused.text.contains("import-differs"), "\(refused.text)")
        let replaced = try service.bring(body, "/v1/me/import", more: account + "\"replace\":true,", token: story.ben)
        #expect(replaced["updated"]?.integer == 1, "\(replaced.text)")
        #expect(try service.send("GET", "/v1/notes/\(note)", token: story.ben)["body"]?.string == "theirs")
        let entries = lines.filter { $0.contains("\"entry\"") }.map { $0.replacing("0.5", with: "0.6") }
        let entry = try service.bring(entries, "/v1/me/import", more: account + "\"replace\":true,", token: story.ben)
        #expect(entry.text.contains("import-differs"), "\(entry.text)")
        // Earlier events were delivered like those of any other change.
        #expect(try service.events(after: "", token: story.ben).last == "note updated")
    }

    @Test("Readings and notes are exported as a table without formulas, and as text; an unknown format is refused")
    func forms() throws {
        let from = try TransferStory()
        let table = try from.service.send("GET", "/v1/me/export?format=csv", token: from.story.ben)
        #expect(table.fields["content-type"] == "text/csv; charset=utf-8; header=present")
        #expect(table.fields["content-disposition"] == "attachment; filename=\"lectern-readings.csv\"")
        let entry = "entry,Kindred,,,1,,0.25,25,2026-01-01T00:00:00.000Z,,\"'-x\",\"'=1+1 \u{e9}\u{1F4D6}\",,,,\r\n"
        #expect(table.text.hasPrefix("type,title,") && table.text.contains(entry), "\(table.text)")
        #expect(table.text.contains(",\"my own\n+ lines\",,,,\r\n"))
        #expect(table.text.contains(",\"noted anew\",question,\"'=cited\",en,\r\n"))
        #expect(table.text.contains(",,,,,4.5\r\n"), "\(table.text)")
        let text = try from.service.send("GET", "/v1/me/export?format=markdown", token: from.story.ben)
        #expect(text.fields["content-type"] == "text/markdown; charset=utf-8")
        #expect(
            text.text.contains("## Kindred\n") && text.text.contains(", 4.5 stars\n")
                && text.text.contains("> my own\n> + lines\n"), "\(text.text)")
        #expect(try from.service.send("GET", "/v1/me/export?format=pdf", token: from.story.ben).status == 400)
        #expect(try from.service.send("GET", "/v1/admin/export?reader=\(OwnIDTests.id)").status == 404)
    }
}
