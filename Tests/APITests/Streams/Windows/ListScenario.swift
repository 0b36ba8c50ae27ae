import Foundation
import JSON
import ObservableModels
import Testing

@testable import API

/// A request pipeline, and streams of lists that are compared with fetched lists.
final class ListScenario {
    let pipeline: TestPipeline
    private var lists: [Watched] = []

    private struct Watched {
        let path: String
        let name: String
        let stream: OpenStream
        /// The items of the last fetch, in order.
        var items: [JSONValue]
    }

    /// A closure that receives each stream's data and its reader.
    var hears: ((_ name: String, _ path: String, _ data: JSONValue) -> Void)?

    init() throws { pipeline = try TestPipeline() }

    /// Sends a request that must succeed.
    func send(_ method: String, _ path: String, _ body: String? = nil, as name: String, fields: [String] = []) throws {
        let answer = try pipeline.send(method, path, body, as: name, fields: fields)
        guard answer.status < 300 else { throw UnexpectedResponse(text: "\(method) \(path): \(answer.text)") }
    }

    /// Returns all items of a list, page by page.
    private func fetch(_ path: String, as name: String) throws -> [JSONValue] {
        var items: [JSONValue] = []
        var cursor = ""
        repeat {
            let page = try pipeline.send("GET", "\(path)&cursor=\(cursor)", as: name)
            guard page.status == 200 else { throw UnexpectedResponse(text: "\(path): \(page.text)") }
            items += page["items"]?.elements.map { $0 } ?? []
            cursor = page["next"]?.string ?? ""
        } while !cursor.isEmpty
        return items
    }

    /// Watches a list from now on: the whole list, or a window that is larger.
    func watch(_ path: String, as name: String, isWindow: Bool = true) throws {
        try compare("before \(path)")
        let window = path + (path.contains("?") ? "&" : "?") + "limit=100"
        let stream = try pipeline.open(isWindow ? window : path, as: name)
        lists.append(Watched(path: window, name: name, stream: stream, items: try fetch(window, as: name)))
    }

    /// Compares the streams' events since the last call with the changes of their lists.
    func compare(_ what: String) throws {
        let received = try pipeline.frames(of: pipeline.receive(), for: lists.map(\.stream))
        for index in lists.indices {
            let (before, now) = (lists[index].items, try fetch(lists[index].path, as: lists[index].name))
            for frame in received[index] { receive(frame, lists[index]) }
            let about = "\(what): \(lists[index].path) as \(lists[index].name)"
            if lists[index].stream.subscription.urls.allSatisfy({ $0.form == .view }) {
                compareView(before, now, received[index], about)
            } else {
                compareEvents(before, now, received[index], about)
            }
            lists[index].items = now
        }
    }

    private func receive(_ frame: [UInt8], _ list: Watched) {
        guard let hears, let data = try? JSONDocument(Array(EventFrame.data(of: frame))).root else { return }
        hears(list.name, list.path, data)
    }

    private func compareView(_ before: [JSONValue], _ now: [JSONValue], _ frames: [[UInt8]], _ about: String) {
        #expect(frames.count == (before == now ? 0 : 1), "\(about)")
        guard let data = frames.last.map({ Array(EventFrame.data(of: $0)) }) else { return }
        #expect((try? JSONDocument(data).root["items"]?.elements.map { $0 }) == now, "\(about)")
    }

    private func compareEvents(_ before: [JSONValue], _ now: [JSONValue], _ frames: [[UInt8]], _ about: String) {
        func byID(_ items: [JSONValue]) -> [String: JSONValue] {
            Dictionary(items.map { ($0["id"]?.string ?? "", $0) }) { $1 }
        }
        var held = byID(before)
        for frame in frames {
            let name = TestPipeline.name(of: frame)
            guard let data = try? JSONDocument(Array(EventFrame.data(of: frame))).root, let id = data["id"]?.string
            else { continue }
            #expect((held[id] == nil) == (name == "enter" || name == "unlocked"), "\(about): \(name)")
            held[id] = name == "leave" ? nil : data["value"]
        }
        #expect(held == byID(now), "\(about): \(frames.map(TestPipeline.name))")
    }
}
