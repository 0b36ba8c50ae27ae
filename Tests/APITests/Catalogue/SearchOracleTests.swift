import Foundation
import JSON
import SharedByTests
import Testing

@testable import API

@Suite("A search of random text among random text")
struct SearchOracleTests {
    /// Streams of searches, and each search's list beside them.
    private final class Scenario {
        let pipeline: TestPipeline
        let queries: [String]
        private var streams: [OpenStream] = []
        private(set) var lists: [Set<String>]
        private var wrong: [String] = []

        init(_ queries: [String]) throws {
            self.queries = queries
            pipeline = try TestPipeline()
            lists = queries.map { _ in [] }
            streams = try queries.map { try pipeline.open(Self.path($0), as: "admin") }
        }

        private static func path(_ text: String) -> String {
            "/v1/books?q=" + text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }

        /// Returns a search's results, of all pages.
        private func list(_ query: String) throws -> Set<String> {
            var ids: [String] = []
            var cursor: String?
            repeat {
                let more = cursor.map { "&cursor=\($0)" } ?? ""
                let page = try pipeline.send("GET", Self.path(query) + "&limit=100" + more, as: "admin")
                guard page.status == 200, let items = page["items"] else { throw UnexpectedResponse(text: page.text) }
                ids += items.elements.compactMap { $0["id"]?.string }
                cursor = page["next"]?.string
            } while cursor != nil
            if Set(ids).count != ids.count { wrong.append("\(escaped(query)) lists a book twice") }
            return Set(ids)
        }

        /// Changes books one by one, and compares each stream's events with its list before and after.
        func change(_ phase: String, _ count: Int, _ change: (Int) throws -> String) throws {
            var received: [String: [[String]]] = [:]
            for index in 0..<count {
                let id = try change(index)
                let changes = pipeline.receive()
                // A write without a difference causes no event.
                if !changes.isEmpty { received[id] = try pipeline.deliver(changes, to: streams) }
            }
            let before = lists
            lists = try queries.map(list)
            for (id, events) in received {
                for (index, given) in events.enumerated() {
                    let expected: [String] =
                        switch (before[index].contains(id), lists[index].contains(id)) {
                        case (true, true): ["updated"]
                        case (true, false): ["leave"]
                        case (false, true): ["enter"]
                        case (false, false): []
                        }
                    guard given != expected else { continue }
                    wrong.append("\(phase): \(escaped(queries[index])) says \(given), and the list \(expected)")
                }
            }
        }

        func finish() { #expect(wrong.isEmpty, "\(wrong.prefix(20).joined(separator: "\n"))") }

        private func escaped(_ text: String) -> String {
            text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        }
    }

    private func body(_ title: String, _ author: String?) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.name("title")
        json.string(title)
        json.name("authors")
        json.beginArray()
        if let author { json.string(author) }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test(
        "A search's list contains exactly what its stream sent, for random writes and queries",
        arguments: TestBudget.seeds(1, long: 8))
    func agrees(_ seed: UInt64) throws {
        var random = RandomText(seed: seed)
        let texts = (0..<3).map { _ in (0..<60).map { _ in random.title() } }
        let scenario = try Scenario((0..<90).map { _ in random.query(of: texts[0] + texts[1]) })
        var ids: [String] = []
        try scenario.change("added", texts[0].count) { index in
            ids.append(try scenario.pipeline.make("/v1/books", body(texts[0][index], nil), as: "admin"))
            return ids[index]
        }
        #expect(scenario.lists.count { !$0.isEmpty } > 18)
        for (phase, written) in [("changed", 1), ("as other forms", 1), ("back", 0)] {
            try scenario.change(phase, ids.count) { index in
                let title = texts[written][index]
                let other = phase == "changed" ? title : title.decomposedStringWithCompatibilityMapping
                // Titles become authors' names, and the other way round.
                let text = body(
                    String(other.unicodeScalars.prefix(180)),
                    phase == "back" ? nil : String(texts[2][index].unicodeScalars.prefix(180)))
                let answer = try scenario.pipeline.send(
                    "PUT", "/v1/books/\(ids[index])", text, as: "admin", fields: ["If-Match: *"])
                guard answer.status == 200 else { throw UnexpectedResponse(text: "\(answer.text) \(text)") }
                return ids[index]
            }
        }
        try scenario.change("deleted", ids.count) { index in
            let answer = try scenario.pipeline.send("DELETE", "/v1/books/\(ids[index])", as: "admin")
            #expect(answer.status == 204)
            return ids[index]
        }
        #expect(scenario.lists.allSatisfy { $0.isEmpty })
        scenario.finish()
    }
}
