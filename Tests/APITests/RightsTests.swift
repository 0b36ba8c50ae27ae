import API
import Foundation
import JSON
import Testing

/// Each route of a club by each who may ask: the table of rights, from outside.
@Suite("Rights in a club")
struct RightsTests {
    enum Role: CaseIterable { case stranger, invited, member, moderator, owner, administrator, revoked }

    /// A request and its statuses, in the order of the roles. In it `{club}`, `{ben}`, `{note}`, `{own}`, `{invitation}` and
    /// `{book}` stand for ids: Ben is another member, the note is the first owner's, `own` is the asker's.
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
        Row("DELETE", "/v1/clubs/{club}/members/{own}", nil, [404, 404, 204, 204, 204, 404, 401]),
        Row("GET", "/v1/clubs/{club}/invitations", nil, [404, 404, 403, 200, 200, 404, 401]),
        Row("POST", "/v1/clubs/{club}/invitations", "{}", [404, 404, 403, 201, 201, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/invitations/{invitation}", nil, [404, 404, 403, 204, 204, 404, 401]),
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
        Row("POST", "/v1/notes/{note}/replies", "{\"body\":\"x\"}", [404, 404, 201, 201, 201, 404, 401]),
    ]

    @Test(
        "Every route answers every role as the table says, and strangers cannot tell a club from none", arguments: rows)
    func table(_ row: Row) throws {
        for (role, status) in zip(Role.allCases, row.statuses) {
            let story = try ClubStory()
            let note = try story.note("0")
            let invitation = try story.service.send(
                "POST", "/v1/clubs/\(story.club)/invitations", "{}", token: story.ada)
            let token = try self.token(role, story)
            let own = try story.service.send("GET", "/v1/me", token: token)["id"]?.string ?? story.benID
            func filled(_ text: String) -> String {
                [
                    ("{club}", story.club), ("{ben}", story.benID), ("{note}", note), ("{own}", own),
                    ("{invitation}", invitation["id"]?.string ?? ""), ("{code}", invitation["code"]?.string ?? ""),
                    ("{book}", story.book),
                ].reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
            }
            let answer = try story.service.send(row.method, filled(row.path), row.body.map(filled), token: token)
            #expect(answer.status == status, "\(role): \(answer.text)")
            if answer.status == 404 {
                let none = row.path.replacingOccurrences(of: "{club}", with: "00000000-0000-7000-8000-000000000000")
                    .replacingOccurrences(of: "{note}", with: "00000000-0000-7000-8000-000000000000")
                let other = try story.service.send(row.method, filled(none), row.body.map(filled), token: token)
                #expect(other.status == 404 && other.text == answer.text)
            }
        }
    }

    private func token(_ role: Role, _ story: ClubStory) throws -> String {
        let service = story.service
        switch role {
        case .administrator: return service.token
        case .stranger: return try service.reader("Cem")
        case .invited:
            // Has been given a code, and not used it.
            _ = try service.send("POST", "/v1/clubs/\(story.club)/invitations", "{}", token: story.ada)
            return try service.reader("Cem")
        case .revoked:
            let token = try service.reader("Cem")
            try story.join(token)
            let tokens = try service.send("GET", "/v1/tokens", token: token)["items"]?.elements.map { $0 } ?? []
            for own in tokens { _ = try service.send("DELETE", "/v1/tokens/\(own["id"]?.string ?? "")", token: token) }
            return token
        case .member, .moderator, .owner:
            let token = try service.reader("Cem")
            try story.join(token)
            let id = try service.send("GET", "/v1/me", token: token)["id"]?.string ?? ""
            _ = try service.send(
                "PATCH", "/v1/clubs/\(story.club)/members/\(id)", "{\"role\":\"\(role)\"}", token: story.ada)
            return token
        }
    }
}
