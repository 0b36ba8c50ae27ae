import API
import Foundation
import JSON
import Testing

/// Tests of the table of rights: each route of a club with each kind of caller.
@Suite("Rights in a club")
struct ClubRightsTests {
    enum Role: CaseIterable { case stranger, invited, member, moderator, owner, administrator, revoked }

    /// A request and its statuses, in the order of the roles. Names in braces stand for ids. Ben is another member, who
    /// owns the standing and the calendar; the first owner wrote the note. `own` is the caller, and Dan's join request
    /// is pending.
    struct Row: CustomTestStringConvertible, Sendable {
        let method: String
        let path: String
        let body: String?
        let statuses: [Int]
        var testDescription: String { "\(method) \(path)" }

        init(_ method: String, _ path: String, _ body: String? = nil, _ statuses: [Int]) {
            self.method = method
            self.path = path
            self.body = body
            self.statuses = statuses
        }
    }

    //                                                                strangr invitd membr modertr owner admin revoked
    static let rows = [
        Row("GET", "/v1/clubs", nil, [200, 200, 200, 200, 200, 200, 401]),
        Row("POST", "/v1/clubs", "{\"name\":\"x\"}", [201, 201, 201, 201, 201, 201, 401]),
        Row("GET", "/v1/clubs/{club}", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("PATCH", "/v1/clubs/{club}", "{\"name\":\"x\"}", [404, 404, 403, 403, 200, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}", nil, [404, 404, 403, 403, 204, 404, 401]),
        Row("GET", "/v1/clubs/{club}/members", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row(
            "PATCH", "/v1/clubs/{club}/members/{ben}", "{\"role\":\"moderator\"}", [404, 404, 403, 403, 200, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/members/{ben}", nil, [404, 404, 403, 204, 204, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/members/{ben}?ban=true", nil, [404, 404, 403, 204, 204, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/members/{own}", nil, [404, 404, 204, 204, 204, 404, 401]),
        Row("GET", "/v1/clubs/{club}/invitations", nil, [404, 404, 403, 200, 200, 404, 401]),
        Row("POST", "/v1/clubs/{club}/invitations", "{}", [404, 404, 403, 201, 201, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/invitations/{invitation}", nil, [404, 404, 403, 204, 204, 404, 401]),
        Row("GET", "/v1/clubs/{club}/removals", nil, [404, 404, 403, 200, 200, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/removals/{removal}", nil, [404, 404, 403, 204, 204, 404, 401]),
        Row("POST", "/v1/memberships", "{\"invitation\":\"nonsense\"}", [422, 422, 422, 422, 422, 422, 401]),
        Row("POST", "/v1/memberships", "{\"invitation\":\"{code}\"}", [201, 201, 200, 200, 200, 201, 401]),
        Row("GET", "/v1/clubs/{club}/notes", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/notes", nil, [200, 200, 200, 200, 200, 200, 401]),
        Row(
            "POST", "/v1/notes", "{\"book\":\"{book}\",\"club\":\"{club}\",\"body\":\"x\"}",
            [422, 422, 201, 201, 201, 422, 401]),
        Row("POST", "/v1/notes", "{\"book\":\"{book}\",\"body\":\"x\"}", [201, 201, 201, 201, 201, 201, 401]),
        Row("GET", "/v1/notes/{note}", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("PATCH", "/v1/notes/{note}", "{\"body\":\"x\"}", [404, 404, 403, 403, 403, 404, 401]),
        Row("DELETE", "/v1/notes/{note}", nil, [404, 404, 403, 204, 204, 404, 401]),
        Row("GET", "/v1/notes/{note}/reactions", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("PUT", "/v1/notes/{note}/reactions/love", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("DELETE", "/v1/notes/{note}/reactions/love", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("PATCH", "/v1/clubs/{club}/members/{own}", "{\"shares\":\"exact\"}", [404, 404, 200, 200, 200, 404, 401]),
        Row("PATCH", "/v1/clubs/{club}/members/{ben}", "{\"shares\":\"exact\"}", [404, 404, 403, 403, 403, 404, 401]),
        Row("GET", "/v1/shelves?club={club}", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/clubs/{club}/presence", nil, [404, 404, 200, 200, 200, 404, 401]),
        // No caller has enabled the setting.
        Row("PUT", "/v1/clubs/{club}/presence", "{}", [404, 404, 409, 409, 409, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/presence", nil, [404, 404, 204, 204, 204, 404, 401]),
        Row("GET", "/v1/clubs/{club}/runs/{run}/pace", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/clubs/{club}/runs/{run}/ratings", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/clubs/{club}/milestones", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row(
            "POST", "/v1/clubs/{club}/milestones",
            "{\"position\":{\"progress\":0.5},\"dueAt\":\"2090-01-01T00:00:00Z\"}",
            [404, 404, 403, 201, 201, 404, 401]),
        Row(
            "PATCH", "/v1/clubs/{club}/milestones/{milestone}", "{\"position\":{\"progress\":0.4}}",
            [404, 404, 403, 200, 200, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/milestones/{milestone}", nil, [404, 404, 403, 204, 204, 404, 401]),
        Row("GET", "/v1/clubs/{club}/standings", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("POST", "/v1/clubs/{club}/standings", "{}", [404, 404, 201, 201, 201, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/standings/{standing}", nil, [404, 404, 403, 403, 403, 404, 401]),
        Row("GET", "/v1/clubs/{club}/meetings", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row(
            "POST", "/v1/clubs/{club}/meetings", "{\"startsAt\":\"2090-01-01T00:00:00Z\"}",
            [404, 404, 403, 201, 201, 404, 401]),
        Row("GET", "/v1/clubs/{club}/meetings/{meeting}", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row(
            "PATCH", "/v1/clubs/{club}/meetings/{meeting}", "{\"title\":\"x\"}", [404, 404, 403, 200, 200, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/meetings/{meeting}", nil, [404, 404, 403, 204, 204, 404, 401]),
        Row("GET", "/v1/clubs/{club}/meetings/{meeting}/notes", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/clubs/{club}/meetings/next/notes", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/clubs/{club}/meetings/{meeting}/attendances", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row(
            "PUT", "/v1/clubs/{club}/meetings/{meeting}/attendance", "{\"answer\":\"yes\"}",
            [404, 404, 201, 201, 201, 404, 401]),
        Row("GET", "/v1/clubs/{club}/calendars", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("POST", "/v1/clubs/{club}/calendars", nil, [404, 404, 201, 201, 201, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/calendars/{calendar}", nil, [404, 404, 404, 404, 404, 404, 401]),
        Row("GET", "/v1/calendars/nonsense", nil, [404, 404, 404, 404, 404, 404, 404]),
        Row("GET", "/v1/listings", nil, [200, 200, 200, 200, 200, 200, 401]),
        Row("POST", "/v1/requests", "{\"club\":\"{club}\"}", [422, 422, 422, 422, 422, 422, 401]),
        Row("GET", "/v1/requests", nil, [200, 200, 200, 200, 200, 200, 401]),
        Row("DELETE", "/v1/requests/{request}", nil, [404, 404, 404, 404, 404, 404, 401]),
        Row("GET", "/v1/requests?club={club}", nil, [404, 404, 403, 200, 200, 404, 401]),
        Row(
            "PATCH", "/v1/requests/{request}", "{\"state\":\"declined\"}",
            [404, 404, 403, 200, 200, 404, 401]),
        Row("POST", "/v1/notes", "{\"replyTo\":\"{note}\",\"body\":\"x\"}", [404, 404, 201, 201, 201, 404, 401]),
        Row("PUT", "/v1/notes/{new}", "{\"replyTo\":\"{note}\",\"body\":\"x\"}", [404, 404, 201, 201, 201, 404, 401]),
        Row("PUT", "/v1/clubs/{new}", "{\"name\":\"x\"}", [201, 201, 201, 201, 201, 201, 401]),
        Row("PUT", "/v1/clubs/{club}", "{\"name\":\"x\"}", [409, 409, 412, 412, 412, 409, 401]),
        Row(
            "PUT", "/v1/notes/{new}", "{\"book\":\"{book}\",\"club\":\"{club}\",\"body\":\"x\"}",
            [422, 422, 201, 201, 201, 422, 401]),
        Row(
            "PUT", "/v1/clubs/{club}/milestones/{new}",
            "{\"position\":{\"progress\":0.5},\"dueAt\":\"2090-01-01T00:00:00Z\"}",
            [404, 404, 403, 201, 201, 404, 401]),
        Row("PUT", "/v1/clubs/{club}/standings/{new}", "{}", [404, 404, 201, 201, 201, 404, 401]),
        Row(
            "PUT", "/v1/clubs/{club}/meetings/{new}", "{\"startsAt\":\"2090-01-01T00:00:00Z\"}",
            [404, 404, 403, 201, 201, 404, 401]),
        Row("PUT", "/v1/requests/{new}", "{\"club\":\"{club}\"}", [422, 422, 422, 422, 422, 422, 401]),
    ]

    @Test(
        "Every route gives every role the response in the table, and for other readers the club does not exist",
        arguments: rows + ofRuns + ofSingles)
    func table(_ row: Row) throws {
        var place: Place?
        for (role, status) in zip(Role.allCases, row.statuses) {
            let now = try place ?? Place(row)
            let service = now.story.service
            let token = try token(role, now.story)
            let own = try service.send("GET", "/v1/me", token: token)["id"]?.string ?? now.story.benID
            func filled(_ text: String) -> String {
                (now.ids + [("{own}", own)]).reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
            }
            // Equal request ids, so the responses differ in nothing else.
            let name = ["X-Request-Id: r"]
            let answer = try service.send(
                row.method, filled(row.path), row.body.map(filled), token: token, fields: name)
            #expect(answer.status == status, "\(role): \(answer.text)")
            if answer.status == 404 {
                func unknown(_ text: String) -> String {
                    ["{club}", "{note}"].reduce(text) {
                        $0.replacingOccurrences(of: $1, with: "00000000-0000-7000-8000-000000000000")
                    }
                }
                let other = try service.send(
                    row.method, filled(unknown(row.path)), row.body.map(unknown).map(filled), token: token, fields: name
                )
                #expect(other.status == 404 && other.text == answer.text)
            }
            // A refused request changes nothing, so the next role uses the same place.
            place = row.method == "GET" || answer.status >= 400 ? now : nil
        }
    }

    /// A club, and the ids of everything that a row's path names.
    private struct Place {
        let story: ClubStory
        let ids: [(String, String)]

        init(_ row: Row) throws {
            story = try ClubStory()
            let note = try story.note("0")
            let invitation = try story.service.send(
                "POST", "/v1/clubs/\(story.club)/invitations", "{}", token: story.ada)
            let things = try ClubRightsTests.things(row.path, story)
            let run = try row.path.contains("{run}") ? story.ids("runs").first ?? "" : ""
            ids = [
                ("{club}", story.club), ("{ben}", story.benID), ("{note}", note),
                ("{invitation}", invitation["id"]?.string ?? ""), ("{code}", invitation["code"]?.string ?? ""),
                ("{book}", story.book), ("{milestone}", things.milestone), ("{meeting}", things.meeting),
                ("{standing}", things.standing), ("{calendar}", things.calendar), ("{request}", things.request),
                ("{removal}", things.removal), ("{new}", OwnIDTests.id), ("{run}", run),
            ]
        }
    }

    @Test("The table has every route of clubs and notes in the contract")
    func isComplete() throws {
        let contract = try String(contentsOf: ModuleTests.root.appending(path: "openapi.yaml"), encoding: .utf8)
        var path = ""
        var missing: [String] = []
        let known = Set((Self.rows + Self.ofRuns + Self.ofSingles).map { "\($0.method) \(Self.blank($0.path))" })
        for line in contract.split(separator: "\n") {
            if line.hasPrefix("  /v1/") { path = Self.blank(String(line.dropFirst(2).dropLast())) }
            if line.hasPrefix("components:") { break }
            let method = line.dropFirst(4).dropLast().uppercased()
            guard !path.isEmpty, line.hasPrefix("    "), ["GET", "PUT", "POST", "PATCH", "DELETE"].contains(method),
                ["clubs", "notes", "memberships", "listings", "requests", "calendars"].contains(
                    path.split(separator: "/")[1])
            else { continue }
            if !known.contains("\(method) \(path)") { missing.append("\(method) \(path)") }
        }
        #expect(missing == [])
        #expect(!path.isEmpty)
    }

    /// Returns a path with all variable parts replaced.
    private static func blank(_ path: String) -> String {
        path.split(separator: "/").map { part in
            part.hasPrefix("{") || part == "nonsense" || part == "love" ? "{}" : String(part)
        }.joined(separator: "/")
    }

    /// Returns the resources that a path names, creating only those.
    private static func things(
        _ path: String, _ story: ClubStory
    ) throws -> (
        milestone: String, meeting: String, standing: String, calendar: String, request: String, removal: String
    ) {
        let service = story.service
        let club = "/v1/clubs/\(story.club)"
        if !path.hasPrefix("/v1/clubs/{club}/"), !path.contains("{request}") {
            return ("", "", "", "", "", "")
        }
        try story.choose()
        let milestone = path.contains("{milestone}") ? try story.milestone("0.5", due: "2090-01-01T00:00:00Z") : ""
        let meeting = path.contains("meetings") ? try story.meeting() : ""
        let standing = path.contains("{standing}") ? try service.make("\(club)/standings", "{}", token: story.ben) : ""
        let calendar = path.contains("{calendar}") ? try service.make("\(club)/calendars", "{}", token: story.ben) : ""
        var removal = ""
        if path.contains("{removal}") {
            let dan = try service.reader("Dan")
            try story.join(dan)
            try story.remove(dan)
            removal = try story.list("removals").first?["id"]?.string ?? ""
        }
        guard path.contains("{request}") else { return (milestone, meeting, standing, calendar, "", removal) }
        // The club is listed only during the request. Otherwise everyone would see it.
        _ = try service.send("PATCH", club, "{\"visibility\":\"listed\"}", token: story.ada)
        let request = try service.make("/v1/requests", "{\"club\":\"\(story.club)\"}", token: try service.reader("Dan"))
        _ = try service.send("PATCH", club, "{\"visibility\":\"private\"}", token: story.ada)
        return (milestone, meeting, standing, calendar, request, removal)
    }

    private func token(_ role: Role, _ story: ClubStory) throws -> String {
        let service = story.service
        switch role {
        case .administrator: return service.token
        case .stranger: return try service.reader("\(role)")
        case .invited:
            // Creates an invitation, which is not used.
            _ = try service.send("POST", "/v1/clubs/\(story.club)/invitations", "{}", token: story.ada)
            return try service.reader("\(role)")
        case .revoked:
            let token = try service.reader("\(role)")
            try story.join(token)
            let tokens = try service.send("GET", "/v1/tokens", token: token)["items"]?.elements.map { $0 } ?? []
            for own in tokens { _ = try service.send("DELETE", "/v1/tokens/\(own["id"]?.string ?? "")", token: token) }
            return token
        case .member, .moderator, .owner:
            let token = try service.reader("\(role)")
            try story.join(token)
            let id = try service.send("GET", "/v1/me", token: token)["id"]?.string ?? ""
            _ = try service.send(
                "PATCH", "/v1/clubs/\(story.club)/members/\(id)", "{\"role\":\"\(role)\"}", token: story.ada)
            return token
        }
    }
}
