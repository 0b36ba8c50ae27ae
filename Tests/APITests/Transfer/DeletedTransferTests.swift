import Foundation
import JSON
import SharedByTests
import Testing

@testable import API
@testable import Store

/// Imports where something was deleted, was refused, or is later than now. At the end of each test the server checks
/// its database.
@Suite("Imports of deleted, refused and future things", .serialized, .ownThreads)
struct DeletedTransferTests {
    private func lines(_ service: TestService, _ token: String? = nil) throws -> [String] {
        let path = token == nil ? "/v1/admin/export" : "/v1/me/export"
        return Array(try service.lines(path, token: token).dropFirst().dropLast())
    }

    private func refused(_ answer: Answer) -> [String] {
        answer["refused"]?.elements.map { $0["problem"]?["type"]?.string ?? "" } ?? ["\(answer.text)"]
    }

    /// Returns the problem of each refused line in an account's import.
    private func own(_ lines: [String], _ story: ClubStory, replacing: Bool = false) throws -> [String] {
        let more = "\"account\":\"\(story.benID)\",\"replace\":\(replacing),"
        return refused(try story.service.bring(lines, "/v1/me/import", more: more, token: story.ben))
    }

    @Test("An import does not restore a deleted note, whoever imports it", arguments: [false, true])
    func notes(isReplacing: Bool) throws {
        let story = try ClubStory()
        let note = try story.service.make(
            "/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"my words\"}", token: story.ben)
        let (account, whole) = try (lines(story.service, story.ben), lines(story.service))
        #expect(try story.service.send("DELETE", "/v1/notes/\(note)", token: story.ben).status == 204)
        let head = try story.service.head(token: story.ben)
        #expect(try own(account, story, replacing: isReplacing) == ["/problems/id-taken"])
        let again = try story.service.bring(whole, more: "\"replace\":\(isReplacing),")
        #expect(refused(again) == ["/problems/id-taken"], "\(again.text)")
        #expect(try story.service.head(token: story.ben) == head)
        #expect(try story.service.send("GET", "/v1/notes/\(note)", token: story.ben).status == 404)
    }

    @Test("A deleted reading is created again with its entries")
    func readings() throws {
        let story = try ClubStory()
        for progress in ["0.1", "0.2", "0.3"] { _ = try story.read(progress) }
        let account = try lines(story.service, story.ben)
        #expect(try story.service.send("DELETE", "/v1/readings/\(story.reading)", token: story.ben).status == 204)
        // Its entries are deleted after it, in slices.
        #expect(try eventually { try own(account, story) == [] })
        #expect(try lines(story.service, story.ben) == account)
    }

    @Test("A deleted club is created again with all that it had")
    func clubs() throws {
        let story = try ClubStory()
        try story.choose()
        _ = try story.milestone("0.5", due: "2090-01-01T18:00:00Z")
        try story.createStanding(sharing: "exact")
        _ = try story.meeting()
        _ = try story.note("0.1")
        let whole = try lines(story.service)
        #expect(try story.service.send("DELETE", "/v1/clubs/\(story.club)", token: story.ada).status == 204)
        #expect(try eventually { try refused(story.service.bring(whole)) == [] })
        #expect(try lines(story.service) == whole)
    }

    @Test("Replies to a refused note are refused, too, and all are imported later")
    func replies() throws {
        let story = try ClubStory()
        let root = try story.note("0.1", "the first")
        _ = try story.read("0.2")
        let reply = try story.service.make(
            "/v1/notes", "{\"replyTo\":\"\(root)\",\"body\":\"a reply\"}", token: story.ben)
        _ = try story.service.make("/v1/notes", "{\"replyTo\":\"\(reply)\",\"body\":\"the last\"}", token: story.ben)
        let whole = try lines(story.service)
        let to = try TestService()
        let answer = try to.bring(whole.map { $0.replacing("\"the first\"", with: "\"\"") })
        #expect(
            refused(answer).count == 3 && answer.text.contains("\"/answers\"") && answer.text.contains("was refused"),
            "\(answer.text)")
        #expect(refused(try to.bring(whole)) == [])
        let notes = whole.filter { $0.hasPrefix("{\"kind\":\"note\"") }
        #expect(try notes.count == 3 && lines(to).filter { $0.hasPrefix("{\"kind\":\"note\"") } == notes)
    }

    @Test("Times in the future become the time of the import, and the same file changes nothing afterwards")
    func times() throws {
        let story = try ClubStory()
        _ = try story.read("0.2")
        let future = "2099-01-01T00:00:00.000Z"
        let account = try lines(story.service, story.ben).map { line in
            line.replacing(#/"(happenedAt|receivedAt|latestEntryAt|createdAt)":"[^"]*"/#) {
                "\"\($0.1)\":\"\(future)\""
            }
        }
        #expect(account.joined().contains(future))
        let to = try TestService()
        let ben = try to.reader("Ben")
        let more = "\"account\":\"\(story.benID)\","
        for member in ["created", "unchanged"] {
            let answer = try to.bring(account, "/v1/me/import", more: more, token: ben)
            #expect(answer[member]?.integer == Int64(account.count) - (member == "created" ? 1 : 0), "\(answer.text)")
        }
        #expect(!(try lines(to, ben).joined().contains(future)))
    }

    @Test("Lines that the database would refuse are refused by name")
    func constraints() throws {
        let story = try ClubStory()
        try story.choose()
        let path = "/v1/books/\(story.book)/chapters"
        #expect(try story.service.send("PUT", path, #"{"chapters":[{},{}]}"#).status == 201)
        let whole = try lines(story.service)
        func line(_ kind: String) throws -> String {
            try #require(whole.last { $0.hasPrefix("{\"kind\":\"\(kind)\"") })
        }
        let id = OwnIDTests.id
        let times = "\"createdAt\":\"2026-01-02T03:04:05.678Z\",\"updatedAt\":\"2026-02-03T04:05:06.789Z\""
        let run = try line("run").replacing(#/"id":"[^"]*"/#) { _ in "\"id\":\"\(id)\"" }
            .replacing(
                "\"createdAt\"",
                with: "\"startsAt\":\"\(future)\",\"endsAt\":\"2026-01-01T00:00:00.000Z\",\"createdAt\"")
        let note = """
            {"kind":"note","id":"\(id)","book":"\(story.book)","club":null,"thread":null,"author":"\(story.benID)",\
            "body":"x","progress":0.75,"position":{"page":300},"share":0.8,"scale":"pages 400","at":0,\(times)}
            """
        let chapters = try line("chapters").replacing(#/"revision":\d+/#) { _ in "\"revision\":0" }
        let member = try line("member").replacing(#/"name":"[^"]*",/#) { _ in "" }
        for (line, pointer) in [(run, "/endsAt"), (note, "/scale"), (chapters, "/revision"), (member, "/name")] {
            let answer = try story.service.bring([line], more: "\"replace\":true,")
            #expect(refused(answer) == ["/problems/invalid"] && answer.text.contains("\"\(pointer)"), "\(answer.text)")
        }
    }

    private let future = "2099-01-01T00:00:00.000Z"

    @Test("A block that exists under another id changes nothing")
    func blocks() throws {
        let story = try ClubStory()
        let ada = try story.service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        #expect(try story.service.send("PUT", "/v1/me/blocks/\(ada)", token: story.ben).status == 201)
        let block = try #require(try lines(story.service).first { $0.hasPrefix("{\"kind\":\"block\"") })
        let line = block.replacing(#/"id":"[^"]*"/#) { _ in "\"id\":\"\(OwnIDTests.id)\"" }
            .replacing(#/"createdAt":"2/#) { _ in "\"createdAt\":\"1" }
        let answer = try story.service.bring([line], more: "\"replace\":true,")
        #expect(refused(answer).isEmpty && answer["unchanged"]?.integer == 1, "\(answer.text)")
        #expect(try lines(story.service).contains(block))
    }

    @Test("Entries that were written after an export stay deleted when their reading is created again")
    func laterEntries() throws {
        let story = try ClubStory()
        _ = try story.read("0.1")
        let account = try lines(story.service, story.ben)
        let later = try story.read("0.2")
        #expect(try story.service.send("DELETE", "/v1/readings/\(story.reading)", token: story.ben).status == 204)
        #expect(try eventually { try own(account, story) == [] })
        let entries = try story.service.send("GET", "/v1/readings/\(story.reading)/entries", token: story.ben)
        #expect(!entries.text.contains(later) && entries["items"]?.elements.map { _ in 1 } == [1])
    }

    @Test("A line for a listing of a private club, or for a former member who is a member, is refused")
    func contradictions() throws {
        let story = try ClubStory(club: ",\"visibility\":\"listed\"")
        let cleo = try story.service.reader("Cleo")
        try story.join(cleo)
        try story.remove(cleo)
        let whole = try lines(story.service)
        let removal = try #require(
            try story.service.send("GET", "/v1/clubs/\(story.club)/removals", token: story.ada)["items"]?
                .elements.first { _ in true }?["id"]?.string)
        let path = "/v1/clubs/\(story.club)"
        #expect(try story.service.send("DELETE", "\(path)/removals/\(removal)", token: story.ada).status == 204)
        try story.join(cleo)
        #expect(try story.service.send("PATCH", path, #"{"visibility":"private"}"#, token: story.ada).status == 200)
        for kind in ["listing", "formerMember"] {
            let line = try #require(whole.first { $0.hasPrefix("{\"kind\":\"\(kind)\"") })
            #expect(try refused(story.service.bring([line])).count == 1)
        }
        #expect(try story.service.send("GET", "/v1/listings", token: cleo)["items"]?.elements.map { _ in 1 } == [])
    }

    @Test("An import shows no progress that its reader does not share any more, and brings no removed member back")
    func withdrawn() throws {
        let story = try ClubStory()
        try story.choose()
        _ = try story.read("0.3")
        try story.createStanding(sharing: "exact")
        let whole = try lines(story.service)
        let member = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try story.service.send("PATCH", member, #"{"shares":"nothing"}"#, token: story.ben).status == 200)
        for replacing in [false, true] {
            _ = try story.service.bring(whole, more: "\"replace\":\(replacing),")
            let seen = try story.service.send("GET", "/v1/clubs/\(story.club)/standings", token: story.ada)
            #expect(!seen.text.contains("\"progress\":0.3") && seen.text.contains(story.benID), "\(seen.text)")
        }
        try story.remove(story.ben)
        #expect(try refused(story.service.bring(whole)).contains("/problems/import-differs"))
        #expect(try story.service.send("GET", member, token: story.ada).status == 404)
    }

    @Test("An imported guardian is a change of the managed reader, who gets another ETag")
    func guardians() throws {
        let service = try TestService()
        let ada = try service.make("/v1/readers", #"{"name":"Ada"}"#)
        let own = try service.reader("Ida")
        let ida = try service.send("GET", "/v1/me", token: own)["id"]?.string ?? ""
        let before = try service.send("GET", "/v1/readers/\(ida)")
        let start = try service.head(token: own)
        let line = "{\"kind\":\"guardianship\",\"reader\":\"\(ida)\",\"guardian\":\"\(ada)\"}"
        #expect(try refused(service.bring([line])) == [])
        let after = try service.send("GET", "/v1/readers/\(ida)")
        #expect(after["guardian"]?.string == ada && after.etag != before.etag)
        #expect(after["updatedAt"]?.string == before["updatedAt"]?.string)
        #expect(try service.events(after: start, token: own) == ["reader updated"])
        #expect(try service.bring([line])["unchanged"]?.integer == 1)
        #expect(try service.send("PATCH", "/v1/readers/\(ida)", #"{"suspension":{"reason":"z"}}"#).status == 200)
    }

    @Test("The first start's token passes to the imported administrator, and its link ends")
    func handover() throws {
        let from = try TestService()
        _ = try from.make("/v1/books", "{\"title\":\"Emma\"}")
        let whole = try lines(from)
        let to = try TestService()
        let link = try to.issueAdministratorLink()
        let first = try to.send("GET", "/v1/me")["id"]?.string ?? ""
        #expect(try refused(to.bring(whole, token: "")).isEmpty)
        #expect(try to.send("GET", "/v1/me")["id"]?.string == from.send("GET", "/v1/me")["id"]?.string)
        #expect(try to.send("GET", "/v1/readers/\(first)").status == 404)
        let secret = link.split(separator: "#").last ?? ""
        let body = "{\"link\":\"\(secret)\",\"name\":\"eve\",\"password\":\"a rope of sand\"}"
        #expect(try to.send("POST", "/v1/password-resets", body, token: "").pointers == ["/link"])
    }
}
