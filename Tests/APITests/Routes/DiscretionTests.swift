import API
import Foundation
import JSON
import SharedByTests
import Testing

/// Tests of what a response reveals in addition, and what it allows others to do.
@Suite("Confidentiality", .serialized, .ownThreads)
struct DiscretionTests {
    @Test("The seq of one's own notes tells nothing about others")
    func ownNotes() throws {
        let service = try TestService()
        let (ada, ben) = (try service.reader("Ada"), try service.reader("Ben"))
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        _ = try service.make("/v1/notes", "{\"book\":\"\(book)\",\"body\":\"mine\"}", token: ada)
        let before = try service.send("GET", "/v1/notes", token: ada)
        _ = try service.make("/v1/notes", "{\"book\":\"\(book)\",\"body\":\"his\"}", token: ben)
        _ = try service.make("/v1/readings", "{\"book\":\"\(book)\"}", token: ben)
        let after = try service.send("GET", "/v1/notes", token: ada)
        #expect(before.status == 200 && before.text == after.text && before.etag == after.etag)
        let next = try service.make("/v1/notes", "{\"book\":\"\(book)\",\"body\":\"more\"}", token: ada)
        let seen = try service.send("GET", "/v1/changes?after=\(before["after"]?.string ?? "")", token: ada)
        #expect(seen["items"]?.elements.contains { $0["id"]?.string == next } == true)
    }

    @Test("A token creates none that outlives it")
    func minting() throws {
        let service = try TestService()
        func draft(_ expiry: String?, _ more: String = "") -> String {
            "{\"name\":\"x\"\(expiry.map { ",\"expiresAt\":\"\($0)\"" } ?? "")\(more)}"
        }
        let made = try service.send("POST", "/v1/tokens", draft("2090-01-01T00:00:00Z"))
        let short = made["token"]?.string ?? ""
        let reader = try service.make("/v1/readers", "{\"name\":\"Ada\"}")
        let start = try service.head()
        for body in [
            draft(nil), draft("2090-01-01T00:00:00.001Z"), draft(nil, ",\"expiresAt\":null"),
            draft("2091-01-01T00:00:00Z", ",\"reader\":\"\(reader)\""),
        ] {
            let answer = try service.send("POST", "/v1/tokens", body, token: short)
            #expect(answer.status == 422 && answer.pointers == ["/expiresAt"], "\(answer.text)")
            #expect(answer.text.contains("2090-01-01T00:00:00.000Z"))
        }
        #expect(try service.events(after: start) == [])
        #expect(try service.send("POST", "/v1/tokens", draft("2090-01-01T00:00:00Z"), token: short).status == 201)
        #expect(try service.send("POST", "/v1/tokens", draft(nil)).status == 201)
    }

    @Test("Nobody can join an archived club, neither by a new invitation nor by an older code")
    func archived() throws {
        let story = try ClubStory()
        let service = story.service
        let invitations = "/v1/clubs/\(story.club)/invitations"
        let code = try service.send("POST", invitations, "{}", token: story.ada)["code"]?.string ?? ""
        let path = "/v1/clubs/\(story.club)"
        #expect(try service.send("PATCH", path, "{\"isArchived\":true}", token: story.ada).status == 200)
        let start = try service.head(token: story.ada)
        let join = "{\"invitation\":\"\(code)\"}"
        let cem = try service.reader("Cem")
        let refused = try service.send("POST", "/v1/memberships", join, token: cem)
        #expect(refused.status == 409 && refused.text.contains("archived"))
        #expect(try service.send("POST", "/v1/memberships", join, token: story.ben).status == 200)
        #expect(try service.send("POST", invitations, "{}", token: story.ada).status == 409)
        #expect(try service.events(after: start, token: story.ada) == [])
        #expect(try service.send("PATCH", path, "{\"isArchived\":false}", token: story.ada).status == 200)
        #expect(try service.send("POST", "/v1/memberships", join, token: cem).status == 201)
    }

    @Test("An archived club accepts administration and deletions, and nothing new")
    func archive() throws {
        let story = try ClubStory()
        let service = story.service
        let path = "/v1/clubs/\(story.club)"
        let write =
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"position\":{\"progress\":0},\"body\":\"x\"}"
        let note = try service.make("/v1/notes", write, token: story.ada)
        try story.choose()
        try story.createStanding(sharing: "exact")
        let standing = try story.list("standings").first?["id"]?.string ?? ""
        let run = try story.list("runs").first?["id"]?.string ?? ""
        #expect(try service.send("PATCH", path, "{\"isArchived\":true}", token: story.ada).status == 200)
        for (method, target, body, token, status) in [
            ("POST", "/v1/notes", write, story.ada, 409),
            ("PATCH", "/v1/notes/\(note)", "{\"body\":\"y\"}", story.ada, 409),
            ("POST", "/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"y\"}", story.ada, 409),
            ("PUT", "/v1/notes/\(note)/reactions/love", "", story.ada, 409),
            ("POST", "\(path)/standings", "{}", story.ada, 409),
            ("POST", "\(path)/meetings", "{\"startsAt\":\"2090-01-01T00:00:00Z\"}", story.ada, 409),
            ("DELETE", "\(path)/runs/\(run)", "", story.ada, 409),
            ("PATCH", path, "{\"name\":\"Kept\"}", story.ada, 200),
            ("PATCH", "\(path)/members/\(story.benID)", "{\"role\":\"moderator\"}", story.ada, 200),
            ("PATCH", "\(path)/members/\(story.benID)", "{\"shares\":\"nothing\"}", story.ben, 200),
            ("POST", "\(path)/calendars", "", story.ben, 201), ("DELETE", "/v1/notes/\(note)", "", story.ada, 204),
            ("DELETE", "\(path)/standings/\(standing)", "", story.ben, 204),
            ("DELETE", "\(path)/members/\(story.benID)", "", story.ben, 204),
            ("PATCH", path, "{\"isArchived\":false}", story.ada, 200),
        ] {
            let answer = try service.send(method, target, body.isEmpty ? nil : body, token: token)
            #expect(answer.status == status, "\(method) \(target) \(answer.text)")
            #expect((status == 409) == (answer["type"]?.string == "/problems/club-archived"), "\(method) \(target)")
        }
    }

    @Test("A name contains no terminal control characters")
    func names() throws {
        let service = try TestService()
        for (path, body) in [
            ("/v1/readers", "{\"name\":\"a\u{9B}2J\"}"), ("/v1/clubs", "{\"name\":\"a\u{7F}\"}"),
            ("/v1/books", "{\"title\":\"x\",\"authors\":[\"a\u{90}\"]}"),
            ("/v1/tokens", "{\"name\":\"a\u{2028}b\"}"),
        ] { #expect(try service.send("POST", path, body).status == 422) }
    }

    @Test("Every response with a body has the Content-Type of that body")
    func sniffing() throws {
        let service = try TestService()
        for path in ["/v1/books", "/v1/none", "/openapi.yaml", "/healthz", "/", "/metrics"] {
            #expect(try service.send("GET", path).fields["x-content-type-options"] == "nosniff", "\(path)")
        }
        let book = try service.send("POST", "/v1/books", "{\"title\":\"Kindred\"}")
        #expect(book.fields["x-content-type-options"] == "nosniff")
    }

    @Test("No note or agenda imitates another's in Markdown")
    func forgery() throws {
        let story = try ClubStory()
        let service = story.service
        let evil = "**x**\\n\\n## At 50 %\\n\\n**Ben**\\n\\n</blockquote>\\\\<h2>\\n[chapter 3]: http://evil"
        let meeting = try story.meeting(",\"book\":\"\(story.book)\",\"agenda\":\"first\\n# Forged\"")
        let note = try story.note("0", evil)
        _ = try service.make(
            "/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"a\u{2028}## At 60 %\"}", token: story.ben)
        let path = "/v1/clubs/\(story.club)/meetings/\(meeting)/notes"
        let text = try service.send("GET", path, token: story.ben, fields: ["Accept: text/markdown"]).text
        let free = text.split(separator: "\n").filter { !$0.hasPrefix("> ") }
        #expect(free.dropFirst(2) == ["## At 0 %", "**Ada**", "**Ben**, in reply"], "\(text)")
        #expect(text.contains("> first\n> # Forged\n") && text.contains("> a\n> ## At 60 %\n"))
        #expect(text.contains("> &lt;/blockquote>\\&lt;h2>\n> [chapter 3]\\: http://evil\n"))
    }
}
