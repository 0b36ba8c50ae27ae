import Foundation
import JSON
import Model
import ObservableModels
import SharedByTests
import Testing

@testable import API

/// A request pipeline, and windows of lists. The streams' events must turn each window's earlier content into the
/// fetched content.
final class WindowScenario {
    let pipeline: TestPipeline
    private(set) var windows: [Shown] = []
    /// The number of received events, by name.
    private(set) var received: [String: Int] = [:]

    struct Shown {
        let path: String
        let name: String
        let stream: OpenStream
        /// The items, in the order of the list.
        var items: [JSONValue]
    }

    init() throws { pipeline = try TestPipeline() }

    /// Sends a request that must succeed, without delivering its events.
    @discardableResult
    func send(_ method: String, _ path: String, _ body: String? = nil, as name: String, fields: [String] = []) throws
        -> Answer
    {
        let answer = try pipeline.send(method, path, body, as: name, fields: fields)
        guard answer.status < 300 else { throw UnexpectedResponse(text: "\(method) \(path): \(answer.text)") }
        return answer
    }

    func fetch(_ path: String, as name: String) throws -> [JSONValue] {
        let page = try pipeline.send("GET", path, as: name)
        guard page.status == 200 else { throw UnexpectedResponse(text: "\(path): \(page.text)") }
        return page["items"]?.elements.map { $0 } ?? []
    }

    /// Watches a window from now on.
    func watch(_ path: String, as name: String, whileBehind: Bool = false) throws {
        if !whileBehind { try compare("before \(path)") }
        let stream = try pipeline.open(path, as: name, whileBehind: whileBehind)
        guard stream.subscription.urls[0].form == .window else {
            throw UnexpectedResponse(text: "\(path) is no window")
        }
        windows.append(Shown(path: path, name: name, stream: stream, items: try fetch(path, as: name)))
    }

    /// Delivers the changes to the streams, one transaction after the other, when all of them are in the database.
    func compare(_ what: String) throws {
        let changes = pipeline.receive()
        for transaction in Set(changes.map(\.transaction)).sorted() {
            let commit = changes.filter { $0.transaction == transaction }
            let frames = try pipeline.frames(of: commit, for: windows.map(\.stream))
            for index in windows.indices {
                for frame in frames[index] { try apply(frame, to: &windows[index], what) }
            }
        }
        for shown in windows {
            let now = try fetch(shown.path, as: shown.name)
            #expect(
                shown.items == now, "\(what): \(shown.path) as \(shown.name): \(ids(shown.items)), not \(ids(now))")
        }
    }

    private func ids(_ items: [JSONValue]) -> [String] {
        items.map { "\($0["id"]?.string?.suffix(4) ?? "") v\($0["version"]?.integer ?? 0)" }
    }

    private func apply(_ frame: [UInt8], to shown: inout Shown, _ what: String) throws {
        let name = TestPipeline.name(of: frame)
        received[name, default: 0] += 1
        let data = try JSONDocument(Array(EventFrame.data(of: frame))).root
        let about = "\(what): \(shown.path) as \(shown.name): \(name)"
        guard name != "snapshot" else {
            shown.items = data["items"]?.elements.map { $0 } ?? []
            return
        }
        let place = shown.items.firstIndex { $0["id"]?.string == data["id"]?.string }
        #expect((place == nil) == (name == "enter"), "\(about)")
        if let place { shown.items.remove(at: place) }
        if name == "leave" {
            let reason = data["reason"]?.string ?? ""
            received[reason, default: 0] += 1
            #expect(["changed", "deleted", "pushedOut"].contains(reason), "\(about)")
            #expect(data["before"] == nil, "\(about)")
            return
        }
        let neighbour = try #require(data["before"], "\(about)")
        let next =
            neighbour.isNull
            ? shown.items.count : shown.items.firstIndex { $0["id"]?.string == neighbour.string }
        shown.items.insert(try #require(data["value"], "\(about)"), at: try #require(next, "\(about)"))
    }
}
