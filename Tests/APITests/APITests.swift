import Foundation
import Testing

@Suite("The service over real sockets")
struct APITests {
    /// One request, and all that must follow from it. `{book}` and the like stand for what the test made before.
    struct Row: Sendable, CustomTestStringConvertible {
        let says: String
        let method: String
        let path: String
        var body: String?
        var token = "writer"
        var fields: [String] = []
        let status: Int
        var contains: [String] = []
        var events: [String] = []
        var testDescription: String { says }
    }

    static let rows: [Row] = [
        Row(
            says: "the root tells what this is without a token", method: "GET", path: "/", token: "", status: 200,
            contains: ["/openapi.yaml"]),
        Row(
            says: "health needs no token", method: "GET", path: "/healthz", token: "", status: 200,
            contains: ["\"status\":\"ok\""]),
        Row(
            says: "everything else does", method: "GET", path: "/v1/books", token: "", status: 401,
            contains: ["needs a token"]),
        Row(says: "an unknown token is refused", method: "GET", path: "/v1/me", token: "lectern_no", status: 401),
        Row(
            says: "a reader sees itself", method: "GET", path: "/v1/me", status: 200, contains: ["\"name\":\"writer\""]),
        Row(
            says: "a reader renames itself", method: "PATCH", path: "/v1/me", body: "{\"name\":\"Ada\"}", status: 200,
            contains: ["\"Ada\""], events: ["reader updated"]),
        Row(says: "a reader does not see readers", method: "GET", path: "/v1/readers", status: 403),
        Row(
            says: "a reader makes no readers", method: "POST", path: "/v1/readers", body: "{\"name\":\"x\"}",
            status: 403),
        Row(
            says: "the last administrator stays one", method: "PATCH", path: "/v1/me", body: "{\"role\":\"reader\"}",
            token: "admin", status: 409),
        Row(says: "a read token reads", method: "GET", path: "/v1/books", token: "read", status: 200),
        Row(
            says: "a read token does not write", method: "POST", path: "/v1/books", body: "{\"title\":\"x\"}",
            token: "read", status: 403),
        Row(
            says: "a book is made", method: "POST", path: "/v1/books",
            body: "{\"title\":\"Kindred\",\"isbn\":\"0-8070-8369-0\"}", status: 201,
            contains: ["\"isbn\":\"9780807083697\""], events: ["book created"]),
        Row(
            says: "a book is made under a chosen id", method: "PUT",
            path: "/v1/books/01890000-0000-7000-8000-000000000001", body: "{\"title\":\"Dawn\"}", status: 201,
            events: ["book created"]),
        Row(
            says: "a book without a title is refused by name", method: "POST", path: "/v1/books", body: "{}",
            status: 422, contains: ["/title", "is required"]),
        Row(
            says: "an unknown member is refused by name", method: "POST", path: "/v1/books",
            body: "{\"title\":\"x\",\"titel\":\"y\"}", status: 422, contains: ["/titel"]),
        Row(
            says: "a repeated member is refused", method: "POST", path: "/v1/books",
            body: "{\"title\":\"x\",\"title\":\"y\"}", status: 422, contains: ["/title"]),
        Row(
            says: "a wrong check digit is refused", method: "POST", path: "/v1/books",
            body: "{\"title\":\"x\",\"isbn\":\"9780807083698\"}", status: 422, contains: ["/isbn"]),
        Row(
            says: "what is no JSON is refused with its position", method: "POST", path: "/v1/books",
            body: "{\"title\":}", status: 400, contains: ["byte 9"]),
        Row(
            says: "what does not say that it is JSON is refused", method: "POST", path: "/v1/books", body: "title=x",
            fields: ["Content-Type: text/plain"], status: 415),
        Row(
            says: "an answer that is not wanted is not given", method: "GET", path: "/v1/books",
            fields: ["Accept: image/png"], status: 406),
        Row(
            says: "an unknown method is answered with those there are", method: "DELETE", path: "/v1/books", status: 405
        ),
        Row(says: "an unknown path is not found", method: "GET", path: "/v1/bookes", status: 404),
        Row(says: "an id that is none is not found", method: "GET", path: "/v1/books/7", status: 404),
        Row(
            says: "an unknown query parameter is refused by name", method: "GET", path: "/v1/books?autor=x",
            status: 400, contains: ["autor"]),
        Row(
            says: "a patch changes what it says", method: "PATCH", path: "/v1/books/{book}",
            body: "{\"pageCount\":301}", status: 200, contains: ["301"], events: ["book updated"]),
        Row(
            says: "a patch that changes nothing makes no event", method: "PATCH", path: "/v1/books/{book}",
            body: "{\"pageCount\":300}", status: 200),
        Row(
            says: "a patch with null clears", method: "PATCH", path: "/v1/books/{book}", body: "{\"language\":null}",
            fields: ["Content-Type: application/merge-patch+json"], status: 200, events: ["book updated"]),
        Row(
            says: "a title cannot be cleared", method: "PATCH", path: "/v1/books/{book}", body: "{\"title\":null}",
            status: 422, contains: ["/title"]),
        Row(
            says: "If-Match of another state is refused", method: "PATCH", path: "/v1/books/{book}",
            body: "{\"title\":\"x\"}", fields: ["If-Match: \"00000000-1\""], status: 412),
        Row(
            says: "If-None-Match: * refuses to write over", method: "PUT", path: "/v1/books/{book}",
            body: "{\"title\":\"x\"}", fields: ["If-None-Match: *"], status: 412),
        Row(says: "a book that someone reads stays", method: "DELETE", path: "/v1/books/{book}", status: 409),
        Row(
            says: "a book that nobody reads goes", method: "DELETE", path: "/v1/books/{unread}", status: 204,
            events: ["book deleted"]),
        Row(
            says: "a reading is begun", method: "POST", path: "/v1/readings", body: "{\"book\":\"{unread}\"}",
            status: 201, contains: ["\"number\":1", "\"isReread\":false"], events: ["reading created"]),
        Row(
            says: "a second reading of a book is a re-read", method: "POST", path: "/v1/readings",
            body: "{\"book\":\"{book}\",\"isReread\":true}", status: 201,
            contains: ["\"number\":2", "\"isReread\":true"],
            events: ["reading created"]),
        Row(
            says: "a reading of no book is refused", method: "POST", path: "/v1/readings",
            body: "{\"book\":\"01890000-0000-7000-8000-00000000dead\"}", status: 422, contains: ["/book"]),
        Row(
            says: "an entry moves the reading", method: "POST", path: "/v1/readings/{reading}/entries",
            body: "{\"progress\":0.5,\"note\":\"hm\"}", status: 201, contains: ["\"progress\":0.5", "\"page\":150"],
            events: ["entry created", "reading updated"]),
        Row(
            says: "an entry by page knows its progress", method: "POST", path: "/v1/readings/{reading}/entries",
            body: "{\"page\":129}", status: 201, contains: ["\"progress\":0.43"],
            events: ["entry created", "reading updated"]),
        Row(
            says: "a page beyond the last is refused", method: "POST", path: "/v1/readings/{reading}/entries",
            body: "{\"page\":301}", status: 422, contains: ["/page", "300"]),
        Row(
            says: "progress beyond the end is refused", method: "POST", path: "/v1/readings/{reading}/entries",
            body: "{\"progress\":1.01}", status: 422, contains: ["/progress"]),
        Row(
            says: "an entry needs a position", method: "POST", path: "/v1/readings/{reading}/entries",
            body: "{\"note\":\"x\"}", status: 422, contains: ["/progress"]),
        Row(
            says: "an entry of the future is refused", method: "POST", path: "/v1/readings/{reading}/entries",
            body: "{\"progress\":0.1,\"happenedAt\":\"2999-01-01T00:00:00Z\"}", status: 422,
            contains: ["/happenedAt", "more than a day ahead"]),
        Row(
            says: "a time that is in the year 10000 in UTC is refused", method: "POST",
            path: "/v1/readings/{reading}/entries",
            body: "{\"progress\":0.1,\"happenedAt\":\"9999-12-31T23:59:59-14:00\"}", status: 422,
            contains: ["/happenedAt", "0001 to 9999"]),
        Row(
            says: "an entry of the past joins the history only", method: "POST", path: "/v1/readings/{reading}/entries",
            body: "{\"progress\":0.1,\"happenedAt\":\"2020-01-01T00:00:00Z\"}", status: 201, events: ["entry created"]),
        Row(
            says: "a finished reading takes no entry and says how to reopen", method: "POST",
            path: "/v1/readings/{finished}/entries", body: "{\"progress\":0.1}", status: 409, contains: ["isFinished"]),
        Row(
            says: "finishing shows the whole", method: "PATCH", path: "/v1/readings/{reading}",
            body: "{\"isFinished\":true}", status: 200, contains: ["\"progress\":1,", "\"page\":300"],
            events: ["reading updated"]),
        Row(
            says: "reopening falls back to the latest entry", method: "PATCH", path: "/v1/readings/{finished}",
            body: "{\"isFinished\":false}", status: 200, contains: ["\"progress\":0.25", "\"state\":\"reading\""],
            events: ["reading updated"]),
        Row(
            says: "a state and its opposite are refused", method: "PATCH", path: "/v1/readings/{reading}",
            body: "{\"state\":\"paused\",\"isFinished\":true}", status: 422, contains: ["/isFinished"]),
        Row(
            says: "undoing the latest entry falls back", method: "DELETE",
            path: "/v1/readings/{reading}/entries/{entry}", status: 204, events: ["entry deleted", "reading updated"]),
        Row(
            says: "deleting a reading is one event", method: "DELETE", path: "/v1/readings/{reading}", status: 204,
            events: ["reading deleted"]),
        Row(
            says: "somebody else's reading is not found", method: "GET", path: "/v1/readings/{reading}", token: "other",
            status: 404),
        Row(
            says: "nor by an administrator", method: "GET", path: "/v1/readings/{reading}", token: "admin", status: 404),
        Row(says: "nor its card", method: "GET", path: "/v1/cards/{reading}", token: "other", status: 404),
        Row(
            says: "nor its entries", method: "GET", path: "/v1/readings/{reading}/entries", token: "other", status: 404),
        Row(
            says: "nor changed", method: "PATCH", path: "/v1/readings/{reading}", body: "{\"state\":\"paused\"}",
            token: "other", status: 404),
        Row(
            says: "nor added to", method: "POST", path: "/v1/readings/{reading}/entries", body: "{\"progress\":0.1}",
            token: "other", status: 404),
        Row(
            says: "a card shows book and progress", method: "GET", path: "/v1/cards/{reading}", status: 200,
            contains: ["\"title\":\"Cien años\"", "\"progress\":0.25"]),
        Row(says: "metrics are for administrators", method: "GET", path: "/metrics", status: 403),
        Row(
            says: "metrics are told to them", method: "GET", path: "/metrics", token: "admin", status: 200,
            contains: ["lectern_commits_total"]),
        Row(
            says: "a search ignores accents and completes the last word", method: "GET",
            path: "/v1/books?q=garcia+marq", status: 200, contains: ["Cien años"]),
        Row(
            says: "an author is found by any of the names", method: "GET", path: "/v1/books?author=gabriel",
            status: 200, contains: ["Cien años"]),
        Row(says: "a cursor that no page gave is refused", method: "GET", path: "/v1/books?cursor=zz", status: 409),
    ]

    @Test("Every request has its status, its body and its events", arguments: rows)
    func row(_ row: Row) throws {
        let service = try TestService()
        let writer = try service.reader("writer")
        let tokens = [
            "writer": writer, "other": try service.reader("other"), "read": try service.reader("read", scope: "read"),
            "admin": service.token,
        ]
        var names = ["unread": try service.make("/v1/books", "{\"title\":\"Unread\"}", token: writer)]
        names["book"] = try service.make(
            "/v1/books",
            "{\"title\":\"Cien años\",\"authors\":[\"Gabriel García Márquez\"],\"pageCount\":300,\"language\":\"es\"}",
            token: writer)
        names["reading"] = try service.make("/v1/readings", "{\"book\":\"\(names["book"] ?? "")\"}", token: writer)
        names["entry"] = try service.make(
            "/v1/readings/\(names["reading"] ?? "")/entries", "{\"progress\":0.25}", token: writer)
        names["finished"] = try service.make("/v1/readings", "{\"book\":\"\(names["unread"] ?? "")\"}", token: writer)
        _ = try service.make("/v1/readings/\(names["finished"] ?? "")/entries", "{\"progress\":0.25}", token: writer)
        _ = try service.send("PATCH", "/v1/readings/\(names["finished"] ?? "")", "{\"isFinished\":true}", token: writer)
        if row.says.contains("begun") || row.says.contains("nobody reads") {
            _ = try service.send("DELETE", "/v1/readings/\(names["finished"] ?? "")", token: writer)
        }
        func filled(_ text: String) -> String {
            names.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
        }
        let head = try service.head(token: writer)
        let answer = try service.send(
            row.method, filled(row.path), row.body.map(filled), token: tokens[row.token] ?? row.token,
            fields: row.fields)
        #expect(answer.status == row.status, "\(answer.text)")
        for part in row.contains { #expect(answer.text.contains(part), "\(answer.text)") }
        #expect(try service.events(after: head, token: writer) == row.events)
        if answer.status >= 400 { #expect(answer.fields["content-type"] == "application/problem+json") }
        if answer.status == 405 { #expect(answer.fields["allow"]?.contains("GET") == true) }
    }
}
