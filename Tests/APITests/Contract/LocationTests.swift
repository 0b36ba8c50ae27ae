import HTTPServer
import JSON
import SharedByTests
import Testing

@testable import API

/// Tests that created, put and changed resources can be fetched at their location.
@Suite("Locations", .serialized, .ownThreads)
struct LocationTests {
    /// Returns whether a path can be fetched.
    static func isFetched(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return Route.all.contains { route in
            let pattern = "\(route.path)".split(separator: "/")
            return route.method == .get && pattern.count == parts.count
                && zip(pattern, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    }

    /// The paths under which a `POST` creates resources that have another path.
    private static let elsewhere = [
        "/v1/accounts": "/v1/tokens", "/v1/password-resets": "/v1/tokens", "/v1/sessions": "/v1/tokens",
        "/v1/books/{id}/editions": "/v1/editions",
        "/v1/memberships": "/v1/clubs/{id}/members", "/v1/clubs/{id}/calendars": "/v1/calendars",
    ]
    /// The paths that cannot be fetched after a `PUT`, with the reason.
    private static let unseen = [
        "/v1/notes/{id}/reactions/{reaction}": "The note's reactions have it.",
        "/v1/me/password": "It is a secret.",
        "/v1/books/{id}/entries/{entryId}": "It is in the reading that Location names.",
    ]

    @Test("Every resource that is put, changed or returned as a Location can be fetched")
    func contract() throws {
        let operations = try Contract(ContractTests.text()).operations
        let fetched = Set(operations.filter { $0.method == "GET" }.map(\.path))
        var located = 0
        for given in operations where Self.unseen[given.path] == nil {
            if ["PUT", "PATCH"].contains(given.method) { #expect(fetched.contains(given.path), "\(given.name)") }
            guard given.method == "POST", given.hasLocation else { continue }
            located += 1
            let list = Self.elsewhere[given.path] ?? given.path
            #expect(fetched.contains { $0.hasPrefix(list + "/{") && $0.hasSuffix("}") }, "\(given.name)")
        }
        #expect(located >= 20)
    }

    @Test("A created resource is fetched as its creator received it, with the same entity tag")
    func made() throws {
        let story = try ClubStory(club: ",\"visibility\":\"listed\"")
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        let dan = try service.reader("Dan")
        let note = try story.note("0")
        let new = OwnIDTests.id
        let rows: [(method: String, path: String, body: String?, by: String)] = [
            ("POST", "\(club)/runs", "{\"book\":\"\(story.book)\",\"state\":\"current\"}", story.ada),
            (
                "POST", "\(club)/milestones", "{\"position\":{\"progress\":0.5},\"dueAt\":\"2090-01-01T00:00:00Z\"}",
                story.ada
            ),
            (
                "PUT", "\(club)/milestones/\(new)",
                "{\"position\":{\"progress\":0.6},\"dueAt\":\"2090-01-01T00:00:00Z\"}", story.ada
            ),
            ("POST", "\(club)/standings", "{}", story.ben),
            ("POST", "/v1/requests", "{\"club\":\"\(story.club)\"}", dan),
            ("PUT", "/v1/notes/\(new)", "{\"replyTo\":\"\(note)\",\"body\":\"Yes.\"}", story.ben),
            ("POST", "/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"No.\"}", story.ben),
            ("POST", "/v1/memberships", "{\"invitation\":\"\(try story.invite())\"}", dan),
            ("PUT", "\(club)/meetings/\(try story.meeting())/attendance", "{\"answer\":\"yes\"}", story.ben),
            ("PATCH", "\(club)/members/\(story.benID)", "{\"shares\":\"exact\"}", story.ben),
            ("POST", "/v1/books/\(story.book)/editions", "{\"format\":\"paper\",\"length\":100}", story.ada),
            (
                "PUT", "/v1/editions/\(new)", "{\"book\":\"\(story.book)\",\"format\":\"audio\",\"length\":100}",
                story.ada
            ),
        ]
        for row in rows {
            let made = try service.send(row.method, row.path, row.body, token: row.by)
            #expect([200, 201].contains(made.status), "\(row.path): \(made.text)")
            #expect((made.fields["location"] != nil) == (made.status == 201), "\(row.path): \(made.fields)")
            for path in Set(
                [made.fields["location"] ?? row.path, row.method == "POST" ? nil : row.path].compactMap(\.self))
            {
                let found = try service.send("GET", path, token: row.by)
                #expect(found.status == 200 && found.etag == made.etag, "\(path): \(found.text)")
                let isSecret = made["code"] != nil || made["url"] != nil
                #expect(found.text == made.text || isSecret, "\(path): \(found.text)")
            }
        }
    }

    @Test("The address of a calendar is where its creator was told, and is shown only once")
    func calendar() throws {
        let story = try ClubStory()
        func make() throws -> Answer {
            try story.service.send(
                "POST", "/v1/clubs/\(story.club)/calendars", token: story.ben, fields: ["Idempotency-Key: calendar"])
        }
        let (made, again) = (try make(), try make())
        let place = try #require(made.fields["location"])
        #expect(place == made["path"]?.string)
        #expect(try story.service.send("GET", place, token: "").text.hasPrefix("BEGIN:VCALENDAR"))
        #expect(again.status == 201 && again["path"] == nil && again.fields["location"] == nil, "\(again.fields)")
    }

    @Test("A member's answer to a meeting is found after it exists, and only their own")
    func own() throws {
        let story = try ClubStory()
        let service = story.service
        let path = "/v1/clubs/\(story.club)/meetings/\(try story.meeting())/attendance"
        #expect(try service.send("GET", path, token: story.ben).status == 404)
        #expect(try service.send("PUT", path, "{\"answer\":\"yes\"}", token: story.ben).status < 300)
        let found = try service.send("GET", path, token: story.ben)
        #expect(found.status == 200 && found["reader"]?.string == story.benID, "\(found.text)")
        let again = try service.send("GET", path, token: story.ben, fields: ["If-None-Match: \(found.etag)"])
        #expect(again.status == 304)
        #expect(try service.send("GET", path, token: story.ada).status == 404)
    }

    @Test("A milestone is watched until it is deleted")
    func watched() throws {
        let story = try ClubStory()
        let (service, club) = (story.service, "/v1/clubs/\(story.club)")
        try story.choose()
        let milestone = try story.milestone("0.5", due: "2090-01-01T00:00:00Z")
        let one = try Watcher(service, "\(club)/milestones/\(milestone)", token: story.ben)
        #expect(one.wait(count: 1))
        _ = try service.send(
            "PATCH", "\(club)/milestones/\(milestone)", "{\"position\":{\"progress\":0.6}}", token: story.ada)
        _ = try service.send("DELETE", "\(club)/milestones/\(milestone)", token: story.ada)
        #expect(one.wait(count: 3) && one.names == ["snapshot", "updated", "deleted"], "\(one.names)")
    }
}
