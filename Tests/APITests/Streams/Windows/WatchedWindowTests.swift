import Foundation
import JSON
import Model
import ObservableModels
import SharedByTests
import Testing

@testable import API

/// Tests of events of a list that is watched with a limit, over sockets.
@Suite("Watched windows over sockets", .serialized, .ownThreads)
struct WatchedWindowTests {
    private static func text(_ event: Watcher.Event, _ names: [String: String]) throws -> String {
        let data = try JSONDocument(Array(event.data.utf8)).root
        func name(_ value: JSONValue?) -> String { value?.string.map { names[$0] ?? $0 } ?? "nothing" }
        var text = "\(data["change"]?.string ?? ""): \(event.name) \(name(data["id"]))"
        if let before = data["before"] { text += " before \(name(before))" }
        if let reason = data["reason"]?.string { text += " \(reason)" }
        if let title = data["value"]?["title"]?.string { text += " \"\(title)\"" }
        return text + (data["isLast"] == nil ? "" : ".")
    }

    private func book(_ title: String, _ service: TestService) throws -> String {
        try service.make("/v1/books", "{\"title\":\"\(title)\"}")
    }

    @Test("A window sends enter, move and leave with the next row, and the rows moved in and out, with each id once")
    func received() throws {
        let service = try TestService()
        var ids: [String: String] = [:]
        for title in ["b", "d", "f", "h"] { ids[title] = try book(title, service) }
        let watcher = try Watcher(service, "/v1/books?limit=3&fields=title")
        #expect(watcher.wait(count: 1))
        func put(_ title: String, _ new: String, _ member: String = "\"language\":null") throws {
            _ = try service.send(
                "PUT", "/v1/books/\(ids[title] ?? "")", "{\"title\":\"\(new)\",\(member)}", fields: ["If-Match: *"])
        }
        ids["a"] = try book("a", service)
        try put("f", "f", "\"language\":\"en\"")
        try put("b", "e")
        try put("d", "d", "\"language\":\"en\"")
        try put("a", "z")
        _ = try service.send("DELETE", "/v1/books/\(ids["b"] ?? "")")
        ids["c"] = try book("c", service)
        #expect(watcher.wait(count: 10))
        let names = Dictionary(ids.map { ($1, $0) }) { $1 }
        #expect(
            try watcher.events.dropFirst().map { try Self.text($0, names) } == [
                "created: enter a before b \"a\"", "moved: leave f pushedOut.",
                // The fields of f and d that were not requested cause no event.
                "updated: updated b before nothing \"e\".",
                "updated: leave a pushedOut \"z\"", "moved: enter f before nothing \"f\".",
                "deleted: leave b deleted", "moved: enter h before nothing \"h\".",
                "created: enter c before d \"c\"", "moved: leave h pushedOut.",
            ])
        let seqs = watcher.events.compactMap(\.id)
        #expect(seqs.count == 6 && Set(seqs).count == 6)
    }

    @Test("A client that resumes a window gets a snapshot if its list has changed, and otherwise only later events")
    func resumed() throws {
        let service = try TestService()
        var ids: [String: String] = [:]
        for title in ["b", "d", "f"] { ids[title] = try book(title, service) }
        let path = "/v1/books?limit=2&publishedTo=2000"
        for title in ["b", "d"] {
            _ = try service.send("PATCH", "/v1/books/\(ids[title] ?? "")", "{\"publishedYear\":1984}")
        }
        let first = try Watcher(service, path)
        #expect(first.wait(count: 1))
        let cursor = try #require(first.lastID)
        // Another list's change does not affect it.
        _ = try service.make("/v1/readings", "{\"book\":\"\(ids["b"] ?? "")\"}")
        let quiet = try Watcher(service, path, lastEventID: cursor)
        // It must be open before the change. Otherwise it starts again, like the late one.
        #expect(quiet.wait { !$0.head.isEmpty })
        _ = try service.send("PATCH", "/v1/books/\(ids["d"] ?? "")", "{\"publishedYear\":1985}")
        #expect(quiet.wait(count: 1) && quiet.names == ["updated"])
        let late = try Watcher(service, path, lastEventID: cursor)
        #expect(late.wait(count: 1) && late.names == ["snapshot"])
        #expect(late.lastID == quiet.lastID)
        _ = try service.send("DELETE", "/v1/books/\(ids["d"] ?? "")")
        for watcher in [first, quiet, late] { #expect(watcher.wait { $0.names.last == "leave" }) }
        #expect(late.names == ["snapshot", "leave"])
    }

    @Test("The first page of a search is sent anew when sorted by relevance, and has no field selection")
    func best() throws {
        let service = try TestService()
        _ = try book("The Rope", service)
        let watcher = try Watcher(service, "/v1/books?q=rope&limit=1")
        #expect(watcher.wait(count: 1))
        _ = try book("Rope", service)
        #expect(watcher.wait(count: 2) && watcher.names == ["snapshot", "snapshot"])
        let page = try service.send("GET", "/v1/books?q=rope&limit=1")
        let shown = try JSONDocument(Array((watcher.events.last?.data ?? "").utf8)).root
        #expect(shown["items"]?.encoded == page["items"]?.encoded)
        let refused = try service.send(
            "GET", "/v1/books?q=rope&limit=1&fields=title", fields: ["Accept: text/event-stream"])
        #expect(refused.status == 400 && refused.text.contains("fields"))
    }

    @Test("A window added to a stream of names sends events from its snapshot on, each neighbour beside its name")
    func named() throws {
        let service = try TestService()
        var ids: [String: String] = [:]
        for title in ["b", "d", "f"] { ids[title] = try book(title, service) }
        let stream = try service.send("POST", "/v1/streams", "{\"watch\":{\"all\":\"/v1/books\"}}")
        let watcher = try Watcher(service, try #require(stream["url"]?.string), token: "")
        #expect(watcher.wait { $0.names.contains("snapshot") })
        let path = "/v1/streams/\(stream["id"]?.string ?? "")"
        let patched = try service.send(
            "PATCH", path, "{\"watch\":{\"two\":\"/v1/books?limit=2\",\"of\":\"/v1/books?sort=-title&limit=1\"}}",
            fields: ["Content-Type: application/merge-patch+json"])
        #expect(patched.status == 200, "\(patched.text)")
        #expect(watcher.wait { $0.names.filter { $0 == "snapshot" }.count == 3 })
        ids["a"] = try book("a", service)
        _ = try service.send("DELETE", "/v1/books/\(ids["b"] ?? "")")
        #expect(watcher.wait { $0.names.filter { $0 == "change" }.count == 4 })
        let names = Dictionary(ids.map { ($1, $0) }) { $1 }
        let received = try watcher.events.filter { $0.name == "change" }.map { event in
            let data = try JSONDocument(Array(event.data.utf8)).root
            let each = data["for"]?.elements.map { received in
                let before = received["before"].map { " before \($0.string.map { names[$0] ?? $0 } ?? "nothing")" }
                return "\(received["name"]?.string ?? "") \(received["event"]?.string ?? "")\(before ?? "")"
            }
            let last = data["isLast"] == nil ? "" : "."
            return "\(names[data["id"]?.string ?? ""] ?? ""): \((each ?? []).sorted().joined(separator: ", "))\(last)"
        }
        #expect(
            received == [
                "a: all enter, two enter before b", "d: two leave.", "b: all leave, two leave",
                "d: two enter before nothing.",
            ])
        #expect(watcher.names.filter { $0 == "snapshot" }.count == 3)
    }
}
