import Foundation
import HTTPServer
import JSON
import SharedByTests
import Store
import Testing

@testable import API

/// Tests of `PUT` under ids that clients choose.
@Suite("Client-chosen ids", .serialized, .ownThreads)
struct OwnIDTests {
    static let id = "0199b7c0-0f00-7001-8000-0000000000aa"

    /// A resource that can be created: its body, its changes, and a conflicting body. Placeholders in braces are filled
    /// in.
    struct Row: CustomTestStringConvertible, Sendable {
        let path: String
        /// A Boolean value indicating whether the resource is listed among the entries of its reading.
        var isInReading = false
        let body: String
        var patch: String?
        var other: String
        var ends: String?
        var events: [String]
        var testDescription: String { path }
    }

    static let rows = [
        Row(
            path: "/v1/readings/{id}", body: "{\"book\":\"{book}\"}", patch: "{\"state\":\"paused\"}",
            other: "{\"book\":\"{book}\",\"pageCount\":12}", ends: "/v1/readings/{id}", events: ["reading created"]),
        Row(
            path: "/v1/readings/{reading}/entries/{id}", body: "{\"progress\":0.5}", other: "{\"progress\":0.6}",
            ends: "/v1/readings/{reading}/entries/{id}", events: ["entry created", "reading updated"]),
        Row(
            path: "/v1/books/{book}/entries/{id}", isInReading: true, body: "{\"progress\":0.5}",
            other: "{\"progress\":0.6}", events: ["reading created", "entry created"]),
        Row(
            path: "/v1/notes/{id}", body: "{\"book\":\"{book}\",\"body\":\"x\"}", patch: "{\"body\":\"y\"}",
            other: "{\"book\":\"{book}\",\"body\":\"y\"}", ends: "/v1/notes/{id}", events: ["note created"]),
        Row(
            path: "/v1/notes/{id}", body: "{\"replyTo\":\"{note}\",\"body\":\"x\"}", patch: "{\"body\":\"y\"}",
            other: "{\"replyTo\":\"{note}\",\"body\":\"y\"}", ends: "/v1/notes/{id}", events: ["note created"]),
        Row(
            path: "/v1/clubs/{id}", body: "{\"name\":\"x\"}", patch: "{\"name\":\"y\"}", other: "{\"name\":\"y\"}",
            ends: "/v1/clubs/{id}", events: ["membership created", "member created", "club created"]),
        Row(
            path: "/v1/clubs/{club}/meetings/{id}", body: "{\"startsAt\":\"2090-01-01T00:00:00Z\"}",
            patch: "{\"title\":\"y\"}", other: "{\"startsAt\":\"2091-01-01T00:00:00Z\"}",
            ends: "/v1/clubs/{club}/meetings/{id}", events: ["meeting created"]),
        Row(
            path: "/v1/clubs/{club}/milestones/{id}",
            body: "{\"position\":{\"progress\":0.5},\"dueAt\":\"2090-01-01T00:00:00Z\"}",
            patch: "{\"name\":\"y\"}", other: "{\"position\":{\"progress\":0.6},\"dueAt\":\"2090-01-01T00:00:00Z\"}",
            ends: "/v1/clubs/{club}/milestones/{id}", events: ["milestone created"]),
        Row(
            path: "/v1/clubs/{club}/standings/{id}", body: "{}", other: "{\"book\":\"{book}\"}",
            ends: "/v1/clubs/{club}/standings/{id}", events: ["standing created"]),
        .run,
        Row(
            path: "/v1/shelves/{id}", body: "{\"name\":\"x\"}", patch: "{\"name\":\"y\"}", other: "{\"name\":\"y\"}",
            ends: "/v1/shelves/{id}", events: ["shelf created"]),
        Row(
            path: "/v1/editions/{id}", body: "{\"book\":\"{book}\",\"format\":\"audio\",\"length\":9}",
            patch: "{\"name\":\"y\"}", other: "{\"book\":\"{book}\",\"format\":\"audio\",\"length\":8}",
            ends: "/v1/editions/{id}", events: ["edition created"]),
        Row(
            path: "/v1/requests/{id}", body: "{\"club\":\"{listed}\",\"message\":\"x\"}",
            other: "{\"club\":\"{listed}\",\"message\":\"y\"}", ends: "/v1/requests/{id}",
            events: ["joinRequest created"]),
    ]

    /// Returns a service with the resources that the rows name, which belong to its administrator.
    private func furnished() throws -> (TestService, (String) -> String) {
        let service = try TestService()
        var names = ["{id}": Self.id]
        names["{book}"] = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        let other = try service.make("/v1/books", "{\"title\":\"Dawn\"}")
        names["{reading}"] = try service.make("/v1/readings", "{\"book\":\"\(other)\"}")
        names["{note}"] = try service.make("/v1/notes", "{\"book\":\"\(other)\",\"body\":\"x\"}")
        let club = try service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}")
        names["{club}"] = club
        _ = try service.make("/v1/clubs/\(club)/runs", "{\"book\":\"\(names["{book}"]!)\",\"state\":\"current\"}")
        names["{listed}"] = try service.make(
            "/v1/clubs", "{\"name\":\"All\",\"visibility\":\"listed\"}", token: try service.reader("Ben"))
        let filled = names
        return (service, { text in filled.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) } })
    }

    @Test(
        "A repeated PUT happens once, however late, whatever became of the resource, and never recreates it",
        arguments: rows)
    func once(_ row: Row) throws {
        let (service, filled) = try furnished()
        let (path, body) = (filled(row.path), filled(row.body))
        var place = filled(row.path)
        var start = try service.head()
        let made = try service.send("PUT", path, body)
        #expect(made.status == 201 && made["id"]?.string == Self.id, "\(made.text)")
        if row.isInReading { place = "/v1/readings/\(made["reading"]?.string ?? "")/entries/\(Self.id)" }
        #expect(made.fields["location"] == place)
        #expect(try service.send("GET", place).text == made.text)
        let events = try service.events(after: start)
        for event in row.events { #expect(events.contains(event), "\(events)") }
        start = try service.head()

        func again(_ status: Int = 200) throws -> Answer {
            let answer = try service.send("PUT", path, body.replacingOccurrences(of: "{", with: " { "))
            #expect(answer.status == status, "\(answer.text)")
            #expect((answer.fields["lectern-unchanged"] == "true") == (status == 200))
            #expect(try service.events(after: start) == [])
            return answer
        }
        let same = try again()
        #expect(same.text == made.text && same.etag == made.etag && same.fields["location"] == nil)
        try service.restart { $0.store.idempotencyHours = 0 }
        #expect(try again().text == made.text)
        let minimal = try service.send("PUT", path, body, fields: ["Prefer: return=minimal"])
        #expect(minimal.status == 204 && minimal.fields["lectern-unchanged"] == "true")
        if let patch = row.patch {
            let patched = try service.send("PATCH", place, patch)
            #expect(patched.status == 200)
            start = try service.head()
            #expect(try again().text == patched.text)
        }
        let other = try service.send("PUT", path, filled(row.other))
        #expect(other.status == 412 && other["type"]?.string == "/problems/version-required", "\(other.text)")
        let replacing = try service.send("PUT", path, filled(row.other), fields: ["If-Match: \(other.etag)"])
        #expect(replacing.status == 409 && replacing["type"]?.string == "/problems/id-taken", "\(replacing.text)")
        #expect(other["current"]?["id"]?.string == Self.id && !other.etag.isEmpty && !other.text.contains("PATCH"))
        let demanding = try service.send("PUT", path, body, fields: ["If-None-Match: *"])
        #expect(demanding.status == 412 && demanding["current"]?["id"]?.string == Self.id)
        #expect(try service.events(after: start) == [])
        guard let ends = row.ends.map(filled) else { return }
        #expect(try service.send("DELETE", ends).status == 204)
        start = try service.head()
        #expect(try again(410)["type"]?.string == "/problems/gone")
        #expect(try service.send("PUT", path, filled(row.other)).status == 410)
        #expect(try service.send("PUT", path, body, fields: ["If-None-Match: *"]).status == 410)
        try service.restart()
        _ = try again(410)
    }

    /// The operations that create by `POST` without a `PUT`, and the reasons.
    static let alone = [
        "createToken": "shows a secret", "createInvitation": "shows a secret",
        "createCalendar": "shows a secret", "createStream": "shows a secret",
        "createMembership": "takes a secret, and has the reader's place in the club",
        "previewLink": "makes nothing", "postBatch": "is other requests",
        "importAccount": "is other writes",
        "importEverything": "is other writes",
        "createLink": "shows a secret", "createSession": "shows a secret", "createAccount": "takes a secret",
        "resetPassword": "takes a secret", "beginSignIn": "shows a secret", "createIdentity": "takes a secret",
        "createBackup": "is under the time at which it is made",
        "createReader": "is sent by an administrator who is there: an Idempotency-Key makes it repeatable",
        "createReport": "is one report of a thing however often it is sent",
    ]

    @Test("Every resource that can be created by POST can be created by PUT, or is on a list with the reason")
    func all() {
        let puts = Route.all.filter { $0.method == .put }.map { "\($0.path)" }
        for route in Route.all where route.method == .post {
            let path = "\(route.path)"
            let lists = [path, "/v1/\(path.split(separator: "/").last ?? "")"]
            let hasPut = puts.contains { put in
                lists.contains { list in
                    put.hasPrefix("\(list)/{") && put.dropFirst(list.utf8.count + 1).allSatisfy { $0 != "/" }
                }
            }
            #expect(hasPut != (Self.alone["\(route.operation)"] != nil), "\(route.operation)")
        }
    }

    @Test("An id that another reader uses is refused last, and the response tells nothing about the resource")
    func foreign() throws {
        let service = try TestService()
        let (ada, ben) = (try service.reader("Ada"), try service.reader("Ben"))
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        let body = "{\"book\":\"\(book)\"}"
        let path = "/v1/readings/\(Self.id)"
        #expect(try service.send("PUT", path, body, token: ada).status == 201)
        let byPost =
            "/v1/readings/" + (try service.make("/v1/readings", "{\"book\":\"\(book)\"}", token: service.token))
        let start = try service.head(token: ben)
        let invalid = try service.send("PUT", path, "{\"book\":\"\(Self.id)\"}", token: ben)
        #expect(invalid.status == 422 && invalid.pointers == ["/book"])
        let taken = try service.send("PUT", path, body, token: ben)
        #expect(taken.status == 409 && taken["type"]?.string == "/problems/id-taken")
        #expect(taken["current"] == nil && taken.etag.isEmpty && !taken.text.contains(Self.id))
        #expect(try service.send("PUT", byPost, body, token: ben).given == taken.given)
        for own in [path, byPost] {
            let token = own == path ? ada : service.token
            #expect(try service.send("DELETE", own, token: token).status == 204)
            #expect(try service.send("PUT", own, body, token: ben).given == taken.given)
        }
        let entry = "/v1/readings/\(try service.make("/v1/readings", body, token: ben))/entries/\(Self.id)"
        #expect(try service.send("PUT", entry, "{\"progress\":0.5}", token: ada).status == 404)
        // Ids of different kinds are independent.
        #expect(try service.send("PUT", entry, "{\"progress\":0.5}", token: ben).status == 201)
        #expect(try service.events(after: start, token: ben).count == 3)
    }

    @Test("An id that the reader has used in another reading is refused with the entry that has it")
    func elsewhere() throws {
        let service = try TestService()
        let readings = try ["Kindred", "Dawn"].map { title in
            let book = try service.make("/v1/books", "{\"title\":\"\(title)\"}")
            return try service.make("/v1/readings", "{\"book\":\"\(book)\"}")
        }
        func put(in reading: String) throws -> Answer {
            try service.send("PUT", "/v1/readings/\(reading)/entries/\(Self.id)", "{\"progress\":0.5}")
        }
        #expect(try put(in: readings[0]).status == 201)
        let refused = try put(in: readings[1])
        #expect(refused.status == 412 && refused["type"]?.string == "/problems/version-required", "\(refused.text)")
        #expect(refused["current"]?["reading"]?.string == readings[0])
    }

    @Test("A former member does not learn whether a resource they created still exists")
    func left() throws {
        let story = try ClubStory()
        let service = story.service
        let club = "/v1/clubs/\(Self.id)"
        #expect(try service.send("PUT", club, "{\"name\":\"x\"}", token: story.ada).status == 201)
        let path = "/v1/clubs/\(Self.id)/meetings/\(Self.id)"
        let body = "{\"startsAt\":\"2090-01-01T00:00:00Z\"}"
        #expect(try service.send("PUT", path, body, token: story.ada).status == 201)
        let code = try service.send("POST", "\(club)/invitations", "{}", token: story.ada)["code"]?.string ?? ""
        #expect(
            try service.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", token: story.ben).status == 201)
        _ = try service.send("PATCH", "\(club)/members/\(story.benID)", "{\"role\":\"owner\"}", token: story.ada)
        let ada = try service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        #expect(try service.send("DELETE", "\(club)/members/\(ada)", token: story.ada).status == 204)
        func answers() throws -> [String] {
            try [(club, "{\"name\":\"x\"}"), (path, body)].map {
                let answer = try service.send("PUT", $0.0, $0.1, token: story.ada)
                #expect(answer.status == 410)
                return answer.given
            }
        }
        let there = try answers()
        #expect(try service.send("DELETE", path, token: story.ben).status == 204)
        #expect(try service.send("DELETE", club, token: story.ben).status == 204)
        #expect(try answers() == there)
    }

    @Test("A shelf cannot have a reader's id, which their first shelf has")
    func shelves() throws {
        let service = try TestService()
        let me = try service.send("GET", "/v1/me", token: try service.reader("Ada"))["id"]?.string ?? ""
        #expect(try service.send("PUT", "/v1/shelves/\(me)", "{\"name\":\"x\"}").status == 409)
    }

    @Test("Resources created besides have ids of the server, so that no reader chooses the ids of others")
    func beside() throws {
        let service = try TestService()
        let member = "0199b7c0-0f00-7001-8000-0000000000ab"
        #expect(try service.send("PUT", "/v1/clubs/\(Self.id)", "{\"name\":\"x\"}").status == 201)
        let members = try service.send("GET", "/v1/clubs/\(Self.id)/members")["items"]?.elements.map { $0 } ?? []
        #expect(members.count == 1 && members[0]["id"]?.string != member)
    }

    @Test("A member who already reads along cannot do so again with an id of their own")
    func second() throws {
        let story = try ClubStory()
        try story.choose()
        let path = "/v1/clubs/\(story.club)/standings"
        let first = try story.service.make(path, "{}", token: story.ben)
        let refused = try story.service.send("PUT", "\(path)/\(Self.id)", "{}", token: story.ben)
        #expect(refused.status == 409 && refused["current"]?["id"]?.string == first, "\(refused.text)")
        #expect(try story.service.send("PUT", "\(path)/\(first)", "{}", token: story.ben).status == 412)
    }
}
