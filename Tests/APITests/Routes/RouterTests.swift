import Foundation
import Model
import SharedByTests
import Testing

@testable import API

@Suite("The request pipeline without sockets and event loops")
struct RouterTests {
    /// A request, and its expected effects. Names in braces stand for the initial resources.
    struct Row {
        let says: String
        let request: String
        var body: String?
        var by = "ada"
        var fields: [String] = []
        let status: Int
        var contains: [String] = []
        /// The log's events, each as `kind operation`, and the changed fields.
        var events: [String] = []
    }

    /// Returns a request pipeline with some readers, books and readings.
    static func furnished() throws -> (TestPipeline, names: [String: String]) {
        let pipeline = try TestPipeline()
        for name in ["ada", "ben"] { try pipeline.enter(name) }
        try pipeline.enter("read", scope: "read")
        var names: [String: String] = [:]
        names["dawn"] = try pipeline.make("/v1/books", "{\"title\":\"Dawn\"}", as: "ada")
        names["unread"] = try pipeline.make("/v1/books", "{\"title\":\"Unread\"}", as: "ada")
        names["book"] = try pipeline.make(
            "/v1/books",
            "{\"title\":\"Cien años\",\"authors\":[\"Gabriel García Márquez\"],\"pageCount\":300,\"language\":\"es\"}",
            as: "ada")
        names["reading"] = try pipeline.make("/v1/readings", "{\"book\":\"\(names["book"]!)\"}", as: "ada")
        names["entry"] = try pipeline.make(
            "/v1/readings/\(names["reading"]!)/entries", "{\"progress\":0.25}", as: "ada")
        names["finished"] = try pipeline.make("/v1/readings", "{\"book\":\"\(names["dawn"]!)\"}", as: "ada")
        _ = try pipeline.make("/v1/readings/\(names["finished"]!)/entries", "{\"progress\":0.25}", as: "ada")
        _ = try pipeline.send("PATCH", "/v1/readings/\(names["finished"]!)", "{\"isFinished\":true}", as: "ada")
        _ = pipeline.receive()
        return (pipeline, names)
    }

    @Test("Every request has its status, body and events, and uses its thread for less than a millisecond")
    func rows() throws {
        var times: [Int64] = []
        for row in Self.rows {
            let (pipeline, names) = try Self.furnished()
            func filled(_ text: String) -> String {
                names.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
            }
            let parts = filled(row.request).split(separator: " ").map(String.init)
            let body = row.body.map(filled)
            let began = threadNanoseconds()
            let answer = try pipeline.send(parts[0], parts[1], body, as: row.by, fields: row.fields)
            let events = pipeline.receive().map(Self.describe)
            times.append(threadNanoseconds() - began)
            #expect(answer.status == row.status, "\(row.says): \(answer.text)")
            for part in row.contains { #expect(answer.text.contains(part), "\(row.says): \(answer.text)") }
            #expect(events == row.events, "\(row.says)")
            if answer.status >= 400 {
                #expect(answer.fields["content-type"] == "application/problem+json", "\(row.says)")
            }
        }
        let median = times.sorted()[times.count / 2]
        #expect(median < 1_000_000, "\(median) ns")
    }

    private static func describe(_ change: Change) -> String {
        let fields = change.changed.indices.map { " \(change.kind.fieldNames[$0])" }.joined()
        return "\(change.kind.name) \(change.operation.name)" + (change.operation == .updated ? ":\(fields)" : "")
    }
}
