import JSON
import Model
import Testing

@testable import API

@Suite("A reader's settings")
struct SettingsTests {
    private let pipeline: TestPipeline

    init() throws {
        pipeline = try TestPipeline()
        for name in ["ada", "ben"] { try pipeline.enter(name) }
        _ = pipeline.receive()
    }

    /// Sends a request, and returns its response and its events in the log.
    private func ask(
        _ method: String, _ body: String? = nil, as name: String = "ada", fields: [String] = []
    ) throws -> (answer: Answer, events: [String]) {
        let answer = try pipeline.send(method, "/v1/settings", body, as: name, fields: fields)
        return (
            answer,
            pipeline.receive().map { "\($0.kind.name) \($0.operation.name) \($0.changed.rawValue.nonzeroBitCount)" }
        )
    }

    @Test("A reader without settings gets the defaults under their own id, with an entity tag")
    func defaults() throws {
        let (answer, events) = try ask("GET")
        #expect(answer.status == 200 && events == [])
        #expect(answer["id"]?.string == (try pipeline.send("GET", "/v1/me", as: "ada")["id"]?.string))
        #expect(answer["updateArtwork"]?.bool == true && answer["syncProgress"]?.bool == true)
        #expect(answer["timeZone"]?.string == "UTC" && answer["defaultShareLevel"]?.string == "milestones")
        #expect(answer["presence"]?.bool == false)
        let tag = try #require(answer.fields["etag"])
        let same = try pipeline.send("GET", "/v1/settings", as: "ada", fields: ["If-None-Match: \(tag)"])
        #expect(same.status == 304)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let says: String
        let body: String
        let status: Int
        var contains = ""
        var events: [String] = []
        var testDescription: String { says }
    }

    @Test(
        "A merge patch changes the named members",
        arguments: [
            Row(
                says: "one of them", body: "{\"presence\":true}", status: 200, contains: "\"presence\":true",
                events: ["settings updated 1"]),
            Row(
                says: "two of them", body: "{\"timeZone\":\"Europe/Lisbon\",\"syncProgress\":false}", status: 200,
                contains: "Europe/Lisbon", events: ["settings updated 2"]),
            Row(says: "what is so already", body: "{\"timeZone\":\"UTC\",\"presence\":false}", status: 200),
            Row(says: "nothing", body: "{}", status: 200),
            Row(
                says: "a place without a zone", body: "{\"timeZone\":\"Europe/Atlantis\"}", status: 422,
                contains: "/timeZone"),
            Row(says: "no time zone", body: "{\"timeZone\":null}", status: 422, contains: "/timeZone"),
            Row(
                says: "no such level", body: "{\"defaultShareLevel\":\"all\"}", status: 422,
                contains: "/defaultShareLevel"),
            Row(says: "a text for a yes", body: "{\"presence\":\"yes\"}", status: 422, contains: "/presence"),
            Row(says: "no such setting", body: "{\"theme\":\"dark\"}", status: 422, contains: "/theme"),
        ])
    func patches(_ row: Row) throws {
        let (answer, events) = try ask("PATCH", row.body)
        #expect(answer.status == row.status && events == row.events)
        #expect(row.contains.isEmpty || answer.text.contains(row.contains))
        #expect((answer.fields["lectern-unchanged"] == "true") == (row.status == 200 && row.events.isEmpty))
    }

    @Test("If-Match refuses a change over another device's")
    func lostUpdates() throws {
        let tag = try #require(try ask("GET").answer.fields["etag"])
        #expect(try ask("PATCH", "{\"presence\":true}", fields: ["If-Match: \(tag)"]).answer.status == 200)
        let late = try ask("PATCH", "{\"presence\":false}", fields: ["If-Match: \(tag)"])
        #expect(late.answer.status == 412 && late.events == [])
        #expect(late.answer["current"]?["presence"]?.bool == true)
    }

    @Test("A second device receives the first one's changes of settings, and no other reader does")
    func second() throws {
        let own = try pipeline.open("/v1/settings", as: "ada")
        let others = [try pipeline.open("/v1/settings", as: "ben"), try pipeline.open("/v1/changes", as: "ben")]
        _ = try pipeline.send("PATCH", "/v1/settings", "{\"updateArtwork\":false}", as: "ada")
        let frames = try pipeline.frames(of: pipeline.receive(), for: [own] + others)
        #expect(frames.map { $0.map(TestPipeline.name) } == [["updated"], [], []])
        #expect(String(decoding: frames[0][0], as: UTF8.self).contains("\"updateArtwork\":false"))
        #expect(try ask("GET", as: "ben").answer["updateArtwork"]?.bool == true)
    }

    @Test(
        "A reader's settings decide what they share in a club they join, and the time zone of their meetings"
    )
    func effects() throws {
        let before = try pipeline.make("/v1/clubs", "{\"name\":\"Before\"}", as: "ada")
        for name in ["ada", "ben"] {
            let body = "{\"defaultShareLevel\":\"exact\",\"timeZone\":\"Asia/Tokyo\"}"
            #expect(try ask("PATCH", body, as: name).answer.status == 200)
        }
        let club = try pipeline.make("/v1/clubs", "{\"name\":\"After\"}", as: "ada")
        let code = try pipeline.send("POST", "/v1/clubs/\(club)/invitations", "{}", as: "ada")["code"]?.string ?? ""
        let joined = try pipeline.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", as: "ben")
        #expect(joined["shares"]?.string == "exact")
        func shared(_ club: String) throws -> [String?] {
            let members = try pipeline.send("GET", "/v1/clubs/\(club)/members", as: "ada")["items"]
            return members?.elements.map { $0["shares"]?.string } ?? []
        }
        #expect(try shared(club) == ["exact", "exact"])
        #expect(try shared(before) == ["milestones"])
        let path = "/v1/clubs/\(club)/meetings"
        let meeting = try pipeline.send("POST", path, "{\"startsAt\":\"2030-01-01T10:00:00Z\"}", as: "ada")
        #expect(meeting["timeZone"]?.string == "Asia/Tokyo")
        let given = "{\"startsAt\":\"2030-01-01T10:00:00Z\",\"timeZone\":\"UTC\"}"
        #expect(try pipeline.send("POST", path, given, as: "ada")["timeZone"]?.string == "UTC")
    }
}
