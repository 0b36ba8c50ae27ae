import Foundation
import JSON
import SharedByTests
import Testing

@testable import API
@testable import Store

@Suite("Departed readers in exports and imports", .serialized, .ownThreads)
struct DepartedTransferTests {
    private func elements(_ value: JSONValue?) -> [JSONValue] { value.map { Array($0.elements) } ?? [] }

    @Test("A departed reader's notes and books are imported without an author")
    func nameless() throws {
        let from = try TransferStory()
        let lines = try from.service.lines("/v1/admin/export")
        let departed = lines.filter { $0.hasPrefix("{\"kind\":\"departed\"") }
        let id = try #require(try JSONDocument(Array((departed.first ?? "").utf8)).root["id"]?.string)
        #expect(departed == ["{\"kind\":\"departed\",\"id\":\"\(id)\"}"])
        #expect(!lines.contains { $0.contains("Eli") })
        let to = try TestService()
        _ = try to.bring(Array(lines.dropFirst().dropLast()))
        #expect(try to.send("GET", "/v1/readers/\(id)").status == 404)
        let readers = elements(try to.send("GET", "/v1/readers?limit=100")["items"]).compactMap { $0["id"]?.string }
        #expect(!readers.contains(id) && readers.contains(from.story.benID))
        #expect(try to.metric("lectern_erasing") == 0)
        // Imported readers see the club as before. Here the machine's administrator creates their tokens.
        func token(_ reader: String) throws -> String {
            try to.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(reader)\"}")["token"]?.string ?? ""
        }
        let ben = try token(from.story.benID)
        let notes = elements(
            try to.send("GET", "/v1/clubs/\(from.story.club)/notes?limit=100", token: ben)["items"])
        let nobodys = notes.filter { $0["author"]?.string == id }
        #expect(nobodys.map { $0["body"]?.string } == ["", ""], "\(notes.map { $0["body"]?.string ?? "" })")
        #expect(notes.contains { $0["body"]?.string == "an answer" })
        // The club whose only owner left has another owner, with all of an owner's rights.
        let clubs = elements(try to.send("GET", "/v1/clubs?limit=100", token: ben)["items"])
        let fridays = try #require(clubs.first { $0["name"]?.string == "Fridays" }?["id"]?.string)
        let renamed = try to.send("PATCH", "/v1/clubs/\(fridays)", "{\"name\":\"Saturdays\"}", token: ben)
        #expect(renamed.status == 200, "\(renamed.text)")
    }

    @Test("A moved server has the former readers in their places, and unchanged shelves and settings with their times")
    func places() throws {
        let story = try ClubStory()
        let from = story.service
        let note = try story.note("0.1")
        let code = try from.send("POST", "/v1/clubs/\(story.club)/invitations", #"{"usesMax":9}"#, token: story.ada)[
            "code"]
        var readers: [(id: String, token: String)] = []
        for name in ["Cleo", "Dora", "Edda"] {
            let token = try from.reader(name)
            readers.append((try from.send("GET", "/v1/me", token: token)["id"]?.string ?? "", token))
            _ = try from.make("/v1/memberships", #"{"invitation":"\#(code?.string ?? "")"}"#, token: token)
            let known = "/v1/books/\(story.book)/knowledge"
            #expect(try from.send("PUT", known, #"{"through":{"progress":1}}"#, token: token).status == 201)
            #expect(try from.send("PUT", "/v1/notes/\(note)/reactions/love", token: token).status == 200)
        }
        #expect(
            try from.send("DELETE", "/v1/readers/\(readers[1].id)?confirm=Dora", token: readers[1].token).status == 204)
        #expect(try eventually { try from.metric("lectern_erasing") == 0 })
        #expect(try from.send("PATCH", "/v1/readers/\(readers[2].id)", #"{"name":"Ede"}"#).status == 200)
        let lines = try from.lines("/v1/admin/export")
        let to = try TestService()
        #expect(try elements(to.bring(Array(lines.dropFirst().dropLast()))["refused"]).isEmpty)
        let own = try to.send("GET", "/v1/me")["id"]?.string ?? ""
        let again = try to.lines("/v1/admin/export").filter { !$0.contains(#""reader","id":"\#(own)""#) }
        #expect(again.dropLast() == lines.dropLast())
        let token = #"{"name":"t","reader":"\#(readers[2].id)"}"#
        let there = try to.send("POST", "/v1/tokens", token)["token"]?.string ?? ""
        func seen(_ path: String, _ member: String) throws -> [[String]] {
            try [(from, readers[2].token), (to, there)].map { service, token in
                elements(try service.send("GET", path, token: token)["items"]).compactMap { $0[member]?.string }
            }
        }
        let order = try seen("/v1/notes/\(note)/reactions", "reader")
        #expect(order[0].count == 3 && order[0] == order[1])
        let times = try seen("/v1/shelves", "updatedAt")
        #expect(times[0].count == 1 && times[0] == times[1])
    }

    @Test("A reader who left is not restored by an import, and no line of an import removes an existing one")
    func here() throws {
        let story = try ClubStory()
        let service = story.service
        let note = try story.note("0.1", "her words")
        let place = "\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"threshold\":\"everyone\""
        let citing = try service.make(
            "/v1/notes", "{\(place),\"quote\":\"cited\",\"body\":\"her words\"}", token: story.ada)
        let ada = try service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        let line = "{\"kind\":\"departed\",\"id\":\"\(ada)\"}"
        let early = try service.bring([line])
        #expect(early.text.contains("has not left"), "\(early.text)")
        let lines = try service.lines("/v1/admin/export").filter {
            $0.hasPrefix("{\"kind\":\"note\"") || $0.contains("\"reader\",\"id\":\"\(ada)\"")
        }
        #expect(lines.count == 3)
        let empty = [note, citing].flatMap { id in lines.filter { $0.contains(id) } }.map {
            $0.replacing("her words", with: "").replacing(",\"quote\":\"cited\"", with: "")
        }
        let unsaid = try service.bring(empty, more: "\"replace\":true,")
        #expect(elements(unsaid["refused"]).count == 2 && unsaid.text.contains("/body"), "\(unsaid.text)")
        #expect(try service.send("DELETE", "/v1/readers/\(ada)?confirm=Ada", token: story.ada).status == 204)
        #expect(try eventually { try service.metric("lectern_erasing") == 0 })
        let again = try service.bring(lines, more: "\"replace\":true,")
        #expect(
            again["refused"]?.elements.map { _ in 1 } == [1, 1, 1] && again.text.contains("has left"), "\(again.text)")
        #expect(!(try service.lines("/v1/admin/export").contains { $0.contains("her words") || $0.contains("Ada") }))
        #expect(try service.bring([line])["unchanged"]?.integer == 1)
        let ben = try service.bring([line], "/v1/me/import", more: "\"account\":\"\(story.benID)\",", token: story.ben)
        #expect(ben.text.contains("import-foreign"), "\(ben.text)")
    }

    @Test("A suspended reader is suspended on another server, and no line removes the last administrator")
    func suspended() throws {
        let from = try TestService()
        let id = try from.make("/v1/readers", "{\"name\":\"Dora\"}")
        let patch = #"{"suspension":{"reason":"spam"}}"#
        #expect(try from.send("PATCH", "/v1/readers/\(id)", patch).status == 200)
        let to = try TestService()
        let lines = Array(try from.lines("/v1/admin/export").dropFirst().dropLast())
        #expect(try elements(to.bring(lines)["refused"]).isEmpty)
        #expect(try to.send("GET", "/v1/readers/\(id)")["suspension"]?["reason"]?.string == "spam")
        let token = try to.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(id)\"}")["token"]?.string ?? ""
        #expect(try to.send("GET", "/v1/me", token: token).status == 403)
        let scenario = try TestService()
        let own = try scenario.send("GET", "/v1/me")["id"]?.string ?? ""
        let line = try #require(lines.first { $0.contains("\"suspension\"") })
        let refusable = [
            line.replacing(id, with: own).replacing(
                "\"reader\",\"suspension\"", with: "\"administrator\",\"suspension\""),
            #"{"kind":"suspension","id":"\#(own)","reason":"spam","createdAt":"2026-01-01T00:00:00Z"}"#,
        ]
        for line in refusable {
            let refused = try scenario.send("POST", "/v1/admin/import", #"{"replace":true,"lines":[\#(line)]}"#)
            #expect(refused.text.contains("last-administrator"), "\(refused.text)")
        }
        #expect(try scenario.send("GET", "/v1/me").status == 200)
        // The record in the form of a development version.
        let eve = try scenario.make("/v1/readers", "{\"name\":\"Eve\"}")
        let old = #"{"kind":"suspension","id":"\#(eve)","reason":"spam","createdAt":"2026-01-01T00:00:00Z"}"#
        #expect(try scenario.bring([old])["updated"]?.integer == 1)
        let suspension = try scenario.send("GET", "/v1/readers/\(eve)")["suspension"]
        #expect(suspension?["since"]?.string == "2026-01-01T00:00:00.000Z" && suspension?["reason"]?.string == "spam")
    }
}
