import Foundation
import JSON
import Testing

@testable import API

@Suite("The events that a request causes, without sockets")
struct RecipientTests {
    /// A request, and the events that each stream receives: who opened it, its path, and the events' names.
    struct Row {
        let says: String
        let request: String
        var body: String?
        var by = "ada"
        let receive: [(who: String, path: String, names: [String])]
    }

    static let rows: [Row] = [
        Row(
            says: "a book is told of with its cards, and to nobody who does not read it as one of theirs",
            request: "PATCH /v1/books/{book}", body: "{\"title\":\"Solitude\"}", by: "admin",
            receive: [
                ("ada", "/v1/books/{book}", ["updated"]), ("ben", "/v1/books", ["updated"]),
                ("ada", "/v1/cards/{reading}", ["updated"]), ("ada", "/v1/cards?state=reading", ["updated"]),
                ("ada", "/v1/readings/{reading}", []), ("cem", "/v1/cards", []), ("cem", "/v1/changes", ["updated"]),
            ]),
        Row(
            says: "a filtered list says who leaves it and who comes", request: "PATCH /v1/books/{book}",
            body: "{\"language\":\"pt\"}", by: "admin",
            receive: [
                ("ben", "/v1/books?language=es", ["leave"]), ("ben", "/v1/books?language=pt", ["enter"]),
                ("ben", "/v1/books?language=en", []), ("ben", "/v1/books/{book}?fields=title", []),
            ]),
        Row(
            says: "writing what is there tells nobody", request: "PATCH /v1/books/{book}",
            body: "{\"language\":\"es\"}",
            receive: [("ada", "/v1/books/{book}", []), ("ada", "/v1/changes", []), ("ben", "/v1/books", [])]),
        Row(
            says: "an entry is its reader's alone", request: "POST /v1/readings/{reading}/entries",
            body: "{\"progress\":0.3}",
            receive: [
                ("ada", "/v1/readings/{reading}", ["updated"]), ("ada", "/v1/readings/{reading}/entries", ["enter"]),
                ("ada", "/v1/readings/{reading}?fields=state", []), ("ada", "/v1/changes", ["created", "updated"]),
                ("ben", "/v1/changes", []), ("ben", "/v1/readings", []),
            ]),
        Row(
            says: "a note is told of to who has read so far", request: "POST /v1/notes",
            body: "{\"book\":\"{book}\",\"club\":\"{club}\",\"position\":{\"progress\":0.4},\"body\":\"hm\"}",
            receive: [
                ("ada", "/v1/clubs/{club}/notes", ["enter"]), ("ada", "/v1/notes", ["snapshot"]),
                ("ben", "/v1/clubs/{club}/notes", []), ("ben", "/v1/changes", []), ("cem", "/v1/changes", []),
            ]),
        Row(
            says: "who reads so far is told of what was waiting", request: "POST /v1/readings/{bens}/entries",
            body: "{\"progress\":0.5}", by: "ben",
            receive: [
                ("ben", "/v1/clubs/{club}/notes", ["unlocked"]), ("ada", "/v1/clubs/{club}/notes", []),
                ("ada", "/v1/changes", []),
            ]),
        Row(
            says: "what opens later is told of as gone to who has not come so far",
            request: "PATCH /v1/notes/{note}", body: "{\"opensAt\":{\"progress\":0.6}}",
            receive: [
                ("ben", "/v1/clubs/{club}/notes", []), ("cem", "/v1/changes", []),
                ("ada", "/v1/clubs/{club}/notes", ["updated"]), ("ada", "/v1/changes", ["updated"]),
                ("dora", "/v1/clubs/{club}/notes", ["leave"]), ("dora", "/v1/clubs/{club}/notes?q=rope", ["leave"]),
                ("dora", "/v1/clubs/{club}/notes?q=chair", []), ("dora", "/v1/clubs/{club}/notes?limit=5", ["leave"]),
                ("dora", "/v1/notes/{note}", ["leave"]), ("dora", "/v1/changes", ["hidden"]),
                ("dora", "/v1/notes", []), ("ada", "/v1/notes/{note}", ["updated"]),
            ]),
        Row(
            says: "a milestone is the club's", request: "POST /v1/clubs/{club}/milestones",
            body: "{\"book\":\"{book}\",\"position\":{\"progress\":0.5},\"dueAt\":\"2100-01-01T00:00:00Z\"}",
            receive: [
                ("ben", "/v1/clubs/{club}/milestones", ["enter"]),
                ("ben", "/v1/clubs/{club}/milestones?book={other}", []), ("cem", "/v1/changes", []),
            ]),
        Row(
            says: "an invitation is the moderators'", request: "POST /v1/clubs/{club}/invitations", body: "{}",
            receive: [
                ("ada", "/v1/clubs/{club}/invitations", ["snapshot"]), ("ada", "/v1/changes", ["created"]),
                ("ben", "/v1/changes", []),
            ]),
        Row(
            says: "a club is told of to who is in it", request: "PATCH /v1/clubs/{club}",
            body: "{\"name\":\"Fridays\"}",
            receive: [
                ("ben", "/v1/clubs/{club}", ["updated"]), ("ben", "/v1/clubs", ["snapshot"]), ("cem", "/v1/clubs", []),
                ("cem", "/v1/listings", []),
            ]),
        Row(
            says: "who goes hears of it last, and nothing more", request: "DELETE /v1/clubs/{club}/members/{ben}",
            by: "ben",
            receive: [
                ("ben", "/v1/clubs/{club}/notes", ["leave"]), ("ben", "/v1/clubs/{club}", ["leave"]),
                ("ben", "/v1/changes", ["deleted"]), ("ada", "/v1/clubs/{club}/members", ["leave"]),
            ]),
    ]

    /// Returns a request pipeline with a club of two who read a book, and a note that one of them has not reached.
    private static func furnished() throws -> (TestPipeline, names: [String: String]) {
        let pipeline = try TestPipeline()
        for name in ["ada", "ben", "cem", "dora"] { try pipeline.enter(name) }
        var names: [String: String] = [:]
        names["other"] = try pipeline.make("/v1/books", "{\"title\":\"Dawn\"}", as: "ada")
        names["book"] = try pipeline.make("/v1/books", "{\"title\":\"Cien años\",\"language\":\"es\"}", as: "ada")
        let book = names["book"] ?? ""
        names["reading"] = try pipeline.make("/v1/readings", "{\"book\":\"\(book)\"}", as: "ada")
        names["bens"] = try pipeline.make("/v1/readings", "{\"book\":\"\(book)\"}", as: "ben")
        names["ben"] = try pipeline.send("GET", "/v1/me", as: "ben")["id"]?.string
        names["club"] = try pipeline.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", as: "ada")
        let club = names["club"] ?? ""
        let code =
            try pipeline.send("POST", "/v1/clubs/\(club)/invitations", "{\"usesMax\":2}", as: "ada")["code"]?.string
            ?? ""
        for name in ["ben", "dora"] {
            _ = try pipeline.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", as: name)
        }
        let doras = try pipeline.make("/v1/readings", "{\"book\":\"\(book)\"}", as: "dora")
        _ = try pipeline.make("/v1/readings/\(doras)/entries", "{\"progress\":0.5}", as: "dora")
        for book in [book, names["other"] ?? ""] {
            _ = try pipeline.make("/v1/clubs/\(club)/runs", "{\"book\":\"\(book)\",\"state\":\"planned\"}", as: "ada")
        }
        let body = "{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":0.43},\"body\":\"The rope!\"}"
        names["note"] = try pipeline.make("/v1/notes", body, as: "ada")
        _ = pipeline.receive()
        return (pipeline, names)
    }

    @Test("Each stream receives the events that it may see, and no others")
    func rows() throws {
        for row in Self.rows {
            let (pipeline, names) = try Self.furnished()
            func filled(_ text: String) -> String {
                names.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
            }
            let streams = try row.receive.map { try pipeline.open(filled($0.path), as: $0.who) }
            let parts = filled(row.request).split(separator: " ").map(String.init)
            let answer = try pipeline.send(parts[0], parts[1], row.body.map(filled), as: row.by)
            #expect(answer.status < 300, "\(row.says): \(answer.text)")
            let received = try pipeline.deliver(pipeline.receive(), to: streams)
            for (expected, names) in zip(row.receive, received) {
                #expect(names == expected.names, "\(row.says): \(expected.who) \(expected.path)")
            }
        }
    }
}
