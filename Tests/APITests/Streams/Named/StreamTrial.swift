import Foundation
import JSON
import SharedByTests
import Synchronization
import Testing

/// A stream with names under test, and a separate stream for each URL that it ever watches.
final class StreamTrial {
    struct Asked: Equatable {
        var url: String
        var after: String?
        var isDebounced = false

        var body: String {
            let more = [after.map { ",\"after\":\"\($0)\"" }, isDebounced ? ",\"debounce\":150" : nil]
            return "{\"url\":\"\(url)\"\(more.compactMap { $0 }.joined())}"
        }
    }

    let service: TestService
    let token: String
    let reader: StreamReader
    let id: String
    let path: String
    let singles: [String: Watcher]
    private(set) var assignments: [StreamOracle.Assignment] = []
    private(set) var revision: Int64 = 1
    private var held: [String: Asked] = [:]

    init(
        _ service: TestService, token: String, watching names: [String: Asked], urls: [String],
        receiveBuffer: Int32? = nil
    ) throws {
        (self.service, self.token) = (service, token)
        var singles: [String: Watcher] = [:]
        for url in Set(urls) { singles[url] = try Watcher(service, url, token: token) }
        guard singles.values.allSatisfy({ $0.wait(count: 1) }) else {
            throw UnexpectedResponse(text: "no streams of one URL")
        }
        self.singles = singles
        let watch = names.map { "\"\($0)\":\($1.body)" }.joined(separator: ",")
        let answer = try service.send("POST", "/v1/streams", "{\"watch\":{\(watch)}}", token: token)
        guard answer.status == 201, let id = answer["id"]?.string, let path = answer["url"]?.string else {
            throw UnexpectedResponse(text: answer.text)
        }
        (self.id, self.path) = (id, path)
        reader = try StreamReader(service, path, receiveBuffer: receiveBuffer)
        note(names.mapValues { $0 }, seq: nil)
    }

    private func note(_ names: [String: Asked?], seq: Int64?, on connection: Int? = nil) {
        for (name, asked) in names {
            // A name that keeps its URL continues.
            if let asked, held[name] == asked { continue }
            held[name] = asked
            assignments.append(
                StreamOracle.Assignment(
                    name: name, revision: revision, url: asked?.url, after: asked?.after.flatMap(Self.seq),
                    isDebounced: asked?.isDebounced ?? false, seq: seq,
                    connection: connection))
        }
    }

    static func seq(_ cursor: String) -> Int64? { cursor.split(separator: "-").last.flatMap { Int64($0) } }

    /// Assigns names to other URLs, or removes them.
    @discardableResult
    func patch(_ names: [String: Asked?]) throws -> Int64 {
        let watch = names.map { "\"\($0)\":\($1?.body ?? "null")" }.joined(separator: ",")
        let connection = reader.settled
        let answer = try service.send("PATCH", "/v1/streams/\(id)", "{\"watch\":{\(watch)}}", token: token)
        guard answer.status == 200, let version = answer["version"]?.integer, let seq = answer["seq"]?.integer else {
            throw UnexpectedResponse(text: "\(answer.status) \(answer.text)")
        }
        revision = version
        note(names, seq: seq, on: connection)
        return seq
    }

    /// Returns the deviations after all events up to a change of the marked book have arrived.
    func problems(mark: String) throws -> [String] {
        let title = "The End \(UUID().uuidString)"
        let answer = try service.send("PATCH", "/v1/books/\(mark)", "{\"title\":\"\(title)\"}")
        #expect(answer.status == 200, "\(answer.text)")
        if !reader.wait(until: { $0.events.contains { $0.data?.contains(title) ?? false } }) {
            return ["the mark never came, and the reader is \(reader.isOpen ? "open" : "at its end") \(reader.status)"]
        }
        var found: [String] = []
        _ = try eventually(every: 300) {
            let oracle = StreamOracle(
                singles: singles.mapValues { SingleLog($0) }, assignments: assignments)
            let log = StreamLog(reader.events)
            found = oracle.problems(log)
            found += try oracle.unequal(log) { try service.send("GET", $0, token: token).representation }
            return found.isEmpty
        }
        if !found.isEmpty { try keep() }
        return found
    }
    /// Writes the events to the directory in `STREAM_ORACLE_LOGS`.
    private func keep() throws {
        guard let folder = ProcessInfo.processInfo.environment["STREAM_ORACLE_LOGS"] else { return }
        let events = reader.events.map { "\($0.connection) \($0.id ?? "-") \($0.name) \($0.data ?? "")" }
        let text = (events + assignments.map { "\($0)" }).joined(separator: "\n")
        try text.write(toFile: "\(folder)/\(id)", atomically: true, encoding: .utf8)
    }
}
