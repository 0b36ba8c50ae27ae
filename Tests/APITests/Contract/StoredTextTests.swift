import Foundation
import JSON
import Testing

@Suite("Stored text")
struct StoredTextTests {
    /// Two forms of a word that look equal, and are equal to Swift's `==`.
    private static let decomposed = "Cafe\u{301}"
    private static let composed = "Caf\u{e9}"

    /// Returns one resource of each kind whose text can be overwritten, by its path in the contract.
    private static func paths(_ story: ClubStory) throws -> [String: String] {
        let club = "/v1/clubs/\(story.club)"
        let administrator = try story.service.send("GET", "/v1/me")["id"]?.string ?? ""
        let milestone = try story.milestone("0.5", due: "2090-01-01T00:00:00Z")
        return [
            "/v1/me": "/v1/me", "/v1/readers/{id}": "/v1/readers/\(administrator)",
            "/v1/books/{id}": "/v1/books/\(story.book)", "/v1/clubs/{id}": club,
            "/v1/clubs/{id}/milestones/{milestoneId}": "\(club)/milestones/\(milestone)",
            "/v1/clubs/{id}/meetings/{meetingId}": "\(club)/meetings/\(try story.meeting())",
            "/v1/shelves/{id}":
                "/v1/shelves/\(try story.service.make("/v1/shelves", "{\"name\":\"Sea\"}", token: story.ada))",
            "/v1/editions/{id}":
                "/v1/editions/\(try story.service.make("/v1/books/\(story.book)/editions", "{\"format\":\"audio\",\"length\":9}", token: story.ada))",
            "/v1/notes/{id}": "/v1/notes/\(try story.note("0"))",
        ]
    }

    @Test("Texts that look alike and have other bytes are changes with an event, in every text of every resource")
    func bytes() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        let paths = try Self.paths(story)
        let texts = WrittenText.all(of: try service.send("GET", "/openapi.yaml", token: "").text)
        #expect(texts.count >= 12)
        // A password is never shown, and causes no event. A report is closed once.
        let unheard: Set = ["/v1/me/password", "/v1/reports/{id}"]
        for text in texts.filter({ !unheard.contains($0.path) }).sorted(by: {
            ($0.path, $0.method, $0.member) < ($1.path, $1.method, $1.member)
        }) {
            let path = try #require(paths[text.path], "\(text.path) is not tried here")
            let token =
                text.path.hasPrefix("/v1/readers") || text.path.hasPrefix("/v1/books") ? service.token : story.ada
            func write(_ word: String) throws -> Answer {
                let value = text.isList ? "[\"\(word)\"]" : "\"\(word)\""
                let title =
                    text.path.hasPrefix("/v1/books") && text.method == "PUT" && text.member != "title"
                    ? ",\"title\":\"Kindred\"" : ""
                let fields = text.path == "/v1/books/{id}" && text.method == "PUT" ? ["If-Match: *"] : []
                return try service.send(
                    text.method, path, "{\"\(text.member)\":\(value)\(title)}", token: token, fields: fields)
            }
            #expect(try write(Self.decomposed).status == 200, "\(text)")
            let start = try service.head(token: token)
            let answer = try write(Self.composed)
            #expect(answer.status == 200 && answer.fields["lectern-unchanged"] == nil, "\(text)")
            let value = try #require(answer[text.member], "\(text)")
            #expect(value.encoded.contains(Array(Self.composed.utf8)), "\(text): \(answer.text)")
            #expect(try service.events(after: start, token: token).contains { $0.hasSuffix(" updated") }, "\(text)")
            let end = try service.head(token: token)
            #expect(try write(Self.composed).fields["lectern-unchanged"] == "true", "\(text)")
            #expect(try service.events(after: end, token: token) == [], "\(text)")
        }
    }

    @Test("An unknown member is refused by name, in each way of writing")
    func members() throws {
        let service = try TestService()
        let body = "{\"title\":\"x\",\"\(Self.decomposed)\":1,\"\(Self.composed)\":2}"
        let pointers = try service.send("POST", "/v1/books", body).pointers
        #expect(pointers.map { Array($0.utf8) } == ["/" + Self.decomposed, "/" + Self.composed].map { Array($0.utf8) })
    }
}
