import Foundation
import JSON
import Testing

@testable import API

/// A server without sockets that has data for each watchable route, and writes that change most of it.
final class WatchableResources {
    let pipeline: TestPipeline
    /// The ids, by name.
    private var ids: [String: String] = [:]

    /// A path for each watchable route; the administrator can read all of them.
    static let paths: [String: String] = [
        "/v1/me/blocks": "/v1/me/blocks", "/v1/me/blocks/{readerId}": "/v1/me/blocks/{dora}",
        "/v1/books": "/v1/books", "/v1/books/{id}": "/v1/books/{book}",
        "/v1/clubs/{id}/calendars": "/v1/clubs/{club}/calendars", "/v1/cards": "/v1/cards",
        "/v1/cards/{id}": "/v1/cards/{reading}", "/v1/changes": "/v1/changes",
        "/v1/clubs": "/v1/clubs",
        "/v1/clubs/{id}": "/v1/clubs/{club}",
        "/v1/books/{id}/editions": "/v1/books/{book}/editions", "/v1/editions/{id}": "/v1/editions/{edition}",
        "/v1/books/{id}/chapters": "/v1/books/{book}/chapters",
        "/v1/readings/{id}/entries": "/v1/readings/{reading}/entries",
        "/v1/readings/{id}/entries/{entryId}": "/v1/readings/{reading}/entries/{entry}",
        "/v1/clubs/{id}/invitations": "/v1/clubs/{club}/invitations", "/v1/requests": "/v1/requests",
        "/v1/books/{id}/knowledge": "/v1/books/{book}/knowledge",
        "/v1/links": "/v1/links", "/v1/listings": "/v1/listings",
        "/v1/clubs/{id}/meetings": "/v1/clubs/{club}/meetings",
        "/v1/clubs/{id}/meetings/{meetingId}": "/v1/clubs/{club}/meetings/{meeting}",
        "/v1/clubs/{id}/meetings/{meetingId}/notes": "/v1/clubs/{club}/meetings/{meeting}/notes",
        "/v1/clubs/{id}/meetings/{meetingId}/attendances": "/v1/clubs/{club}/meetings/{meeting}/attendances",
        "/v1/clubs/{id}/members": "/v1/clubs/{club}/members",
        "/v1/clubs/{id}/removals": "/v1/clubs/{club}/removals",
        "/v1/clubs/{id}/milestones": "/v1/clubs/{club}/milestones", "/v1/clubs/{id}/notes": "/v1/clubs/{club}/notes",
        "/v1/notes": "/v1/notes", "/v1/notes/{id}": "/v1/notes/{note}",
        "/v1/readings/{id}/pace": "/v1/readings/{reading}/pace",
        "/v1/ratings": "/v1/ratings", "/v1/readings/{id}/rating": "/v1/readings/{reading}/rating",
        "/v1/clubs/{id}/runs/{runId}/ratings": "/v1/clubs/{club}/runs/{first}/ratings",
        "/v1/clubs/{id}/runs/{runId}/pace": "/v1/clubs/{club}/runs/{first}/pace",
        "/v1/clubs/{id}/presence": "/v1/clubs/{club}/presence",
        "/v1/notes/{id}/reactions": "/v1/notes/{note}/reactions", "/v1/me": "/v1/me", "/v1/readers": "/v1/readers",
        "/v1/readers/{id}": "/v1/readers/{ben}", "/v1/readings": "/v1/readings",
        "/v1/readings/{id}": "/v1/readings/{reading}", "/v1/reports": "/v1/reports",
        "/v1/reports/{id}": "/v1/reports/{report}", "/v1/clubs/{id}/runs": "/v1/clubs/{club}/runs",
        "/v1/clubs/{id}/runs/{runId}": "/v1/clubs/{club}/runs/{run}", "/v1/scenes": "/v1/scenes",
        "/v1/scenes/{device}/{name}": "/v1/scenes/phone/draft",
        "/v1/settings": "/v1/settings", "/v1/shelves": "/v1/shelves",
        "/v1/shelves/{id}": "/v1/shelves/{shelf}", "/v1/shelves/{id}/books": "/v1/shelves/{shelf}/books",
        "/v1/clubs/{id}/standings": "/v1/clubs/{club}/standings",
        "/v1/tokens": "/v1/tokens", "/v1/tokens/{id}": "/v1/tokens/{token}",
        "/v1/clubs/{id}/members/{readerId}": "/v1/clubs/{club}/members/{ben}",
        "/v1/requests/{id}": "/v1/requests/{request}",
        "/v1/clubs/{id}/milestones/{milestoneId}": "/v1/clubs/{club}/milestones/{milestone}",
        "/v1/clubs/{id}/standings/{standingId}": "/v1/clubs/{club}/standings/{standing}",
        "/v1/clubs/{id}/meetings/{meetingId}/attendance": "/v1/clubs/{club}/meetings/{meeting}/attendance",
        "/v1/shelves/{id}/books/{bookId}": "/v1/shelves/{shelf}/books/{book}",
    ]

    init() throws {
        pipeline = try TestPipeline()
        for name in ["ben", "dora", "eve", "cem"] {
            try pipeline.enter(name)
            ids[name] = try send("GET /v1/me", by: name)["id"]?.string
        }
        try make("book", "POST /v1/books", #"{"title":"Cien años","pageCount":400}"#)
        try make("other", "POST /v1/books", #"{"title":"Dawn","pageCount":200}"#)
        try make("edition", "POST /v1/books/{book}/editions", #"{"format":"paper","length":400}"#)
        try send("PUT /v1/books/{book}/chapters", #"{"chapters":[{},{}]}"#)
        try send("PATCH /v1/editions/{edition}", #"{"anchors":[10,200]}"#)
        try make("reading", "POST /v1/readings", #"{"book":"{book}"}"#)
        try make("entry", "POST /v1/readings/{reading}/entries", #"{"progress":0.1}"#)
        try make("bens", "POST /v1/readings", #"{"book":"{book}"}"#, by: "ben")
        try send("PUT /v1/readings/{reading}/rating", #"{"stars":4}"#)
        try make("club", "POST /v1/clubs", #"{"name":"Tuesdays","visibility":"listed","countsAhead":true}"#)
        let invitation = try send("POST /v1/clubs/{club}/invitations", #"{"usesMax":9}"#)
        (ids["code"], ids["invitation"]) = (invitation["code"]?.string, invitation["id"]?.string)
        for name in ["ben", "dora"] { try send("POST /v1/memberships", #"{"invitation":"{code}"}"#, by: name) }
        for token in ["admin", "ben"] {
            ids["me"] = try send("GET /v1/me", by: token)["id"]?.string
            try send("PATCH /v1/clubs/{club}/members/{me}", #"{"shares":"exact"}"#, by: token)
        }
        try make("first", "POST /v1/clubs/{club}/runs", #"{"book":"{book}","state":"current"}"#)
        try make("standing", "POST /v1/clubs/{club}/standings", "{}")
        try send("POST /v1/clubs/{club}/standings", "{}", by: "ben")
        try make("run", "POST /v1/clubs/{club}/runs", #"{"book":"{other}","state":"planned"}"#)
        try make(
            "meeting", "POST /v1/clubs/{club}/meetings",
            #"{"startsAt":"2100-01-01T00:00:00Z","timeZone":"UTC","book":"{book}","position":{"progress":0.5}}"#)
        try make(
            "note", "POST /v1/notes", #"{"book":"{book}","club":"{club}","position":{"progress":0},"body":"The rope!"}"#
        )
        try make("shelf", "POST /v1/shelves", #"{"name":"Sea"}"#)
        try make(
            "bensNote", "POST /v1/notes", #"{"book":"{book}","club":"{club}","position":{"progress":0},"body":"Hm"}"#,
            by: "ben")
        try make("report", "POST /v1/reports", #"{"about":"note","subject":"{bensNote}","reason":"harassment"}"#)
        try make("token", "POST /v1/tokens", #"{"name":"phone"}"#)
        try makeSingles()
        try send("PUT /v1/me/blocks/{dora}", "{}")
        try send("PATCH /v1/readers/{eve}", #"{"suspension":{}}"#)
        try send("PUT /v1/scenes/phone/draft", #"{"value":"x"}"#)
        try send("PUT /v1/books/{other}/knowledge", #"{"through":{"progress":0.1}}"#)
        try send("PUT /v1/books/{book}/knowledge", #"{"through":{"progress":0.01}}"#)
        _ = pipeline.receive()
    }

    /// Creates the resources that are watched alone only.
    private func makeSingles() throws {
        try make("link", "POST /v1/links", "{}")
        try make(
            "milestone", "POST /v1/clubs/{club}/milestones",
            #"{"book":"{book}","position":{"progress":0.9},"dueAt":"2100-01-01T00:00:00Z"}"#)
        try send("PUT /v1/clubs/{club}/meetings/{meeting}/attendance", #"{"answer":"maybe"}"#)
        try make("reply", "POST /v1/notes", #"{"replyTo":"{note}","body":"Which?"}"#)
        try send("PUT /v1/shelves/{shelf}/books/{book}", "{}")
        try make("bensClub", "POST /v1/clubs", #"{"name":"Fridays","visibility":"listed"}"#, by: "ben")
        try make("request", "POST /v1/requests", #"{"club":"{bensClub}"}"#)
        try make("evesRequest", "POST /v1/requests", #"{"club":"{club}"}"#, by: "eve")
    }

    /// The writes, in order. Each keeps its resource and all rights.
    static let writes: [(request: String, body: String?, by: String)] = [
        ("PATCH /v1/books/{book}", #"{"title":"Solitude"}"#, "admin"),
        ("POST /v1/readings/{reading}/entries", #"{"progress":0.2}"#, "admin"),
        (
            "POST /v1/notes", #"{"book":"{book}","club":"{club}","position":{"progress":0.3},"body":"further on"}"#,
            "ben"
        ),
        ("POST /v1/readings/{bens}/entries", #"{"progress":0.4}"#, "ben"),
        ("POST /v1/notes", #"{"book":"{book}","club":"{club}","position":{"progress":0},"body":"for all"}"#, "ben"),
        ("POST /v1/readings/{reading}/entries", #"{"progress":0.6,"note":"mine"}"#, "admin"),
        ("PATCH /v1/readings/{reading}", #"{"state":"paused"}"#, "admin"),
        ("DELETE /v1/readings/{reading}/entries/{entry}", nil, "admin"),
        ("POST /v1/readings", #"{"book":"{other}"}"#, "admin"),
        ("PATCH /v1/notes/{note}", #"{"body":"The rope, again"}"#, "admin"),
        ("PUT /v1/notes/{note}/reactions/love", nil, "ben"),
        ("PUT /v1/readings/{reading}/rating", #"{"stars":4.5,"noteId":"{note}"}"#, "admin"),
        ("PUT /v1/readings/{bens}/rating", #"{"stars":3}"#, "ben"),
        (
            "POST /v1/clubs/{club}/milestones",
            #"{"book":"{book}","position":{"progress":0.5},"dueAt":"2100-01-01T00:00:00Z"}"#,
            "admin"
        ),
        ("PUT /v1/clubs/{club}/meetings/{meeting}/attendance", #"{"answer":"yes"}"#, "ben"),
        ("PATCH /v1/clubs/{club}/meetings/{meeting}", #"{"title":"Up to the rope"}"#, "admin"),
        ("PUT /v1/clubs/{club}/meetings/{meeting}/attendance", #"{"answer":"no"}"#, "admin"),
        ("PATCH /v1/clubs/{club}/milestones/{milestone}", #"{"name":"The rain"}"#, "admin"),
        ("POST /v1/notes", #"{"replyTo":"{note}","body":"That one."}"#, "ben"),
        ("PATCH /v1/notes/{reply}", #"{"body":"Which rope?"}"#, "admin"),
        ("PATCH /v1/clubs/{club}/runs/{run}", #"{"state":"current"}"#, "admin"),
        ("PATCH /v1/clubs/{club}", #"{"name":"Fridays"}"#, "admin"),
        ("POST /v1/memberships", #"{"invitation":"{code}"}"#, "cem"),
        ("PATCH /v1/clubs/{club}/members/{ben}", #"{"role":"moderator"}"#, "admin"),
        ("POST /v1/clubs/{club}/invitations", "{}", "admin"), ("POST /v1/clubs/{club}/calendars", nil, "admin"),
        ("PUT /v1/shelves/{shelf}/books/{other}", "{}", "admin"),
        ("PATCH /v1/shelves/{shelf}", #"{"name":"Ships"}"#, "admin"),
        ("PATCH /v1/editions/{edition}", #"{"length":410}"#, "admin"),
        ("PUT /v1/scenes/phone/draft", #"{"value":"y"}"#, "admin"),
        ("PATCH /v1/settings", #"{"presence":true}"#, "admin"), ("PATCH /v1/me", #"{"name":"Ada"}"#, "admin"),
        ("POST /v1/books", #"{"title":"Kindred"}"#, "ben"),
        ("PATCH /v1/books/{other}", #"{"title":"Adulthood Rites"}"#, "admin"),
        (
            "POST /v1/batch",
            #"""
            {"atomic":true,"requests":[
                {"method":"PATCH","path":"/v1/books/{book}","body":{"title":"One hundred years"}},
                {"method":"PATCH","path":"/v1/readings/{reading}","body":{"state":"reading"}},
                {"method":"POST","path":"/v1/readings/{reading}/entries","body":{"progress":0.7}}]}
            """#, "admin"
        ),
    ]

    func write(_ number: Int) throws {
        let (request, body, name) = Self.writes[number]
        try send(request, body, by: name)
    }

    /// Returns a text with names replaced by ids.
    func filled(_ text: String) -> String {
        ids.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
    }

    @discardableResult
    private func send(_ request: String, _ body: String? = nil, by name: String = "admin") throws -> Answer {
        let parts = filled(request).split(separator: " ").map(String.init)
        let answer = try pipeline.send(parts[0], parts[1], body.map(filled), as: name)
        guard answer.status < 300 else { throw UnexpectedResponse(text: "\(request): \(answer.text)") }
        return answer
    }

    private func make(_ name: String, _ request: String, _ body: String, by reader: String = "admin") throws {
        ids[name] = try send(request, body, by: reader)["id"]?.string
    }
}
