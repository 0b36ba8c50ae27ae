import Foundation
import JSON

/// A stream of several URLs with names, and the events that each name receives.
struct TestStream {
    let service: TestService
    let id: String
    /// The URL at which the stream is opened.
    let url: String

    init(_ service: TestService, _ watch: String, _ rest: String = "", token: String? = nil) throws {
        let body = "{\"watch\":\(watch)\(rest)}"
        let answer = try service.send("POST", "/v1/streams", body, token: token)
        guard answer.status == 201, let id = answer["id"]?.string, let url = answer["url"]?.string else {
            throw UnexpectedResponse(text: answer.text)
        }
        (self.service, self.id, self.url) = (service, id, url)
    }

    /// Opens the stream as a browser does, without a token.
    func open(after id: String? = nil, receiveBuffer: Int32? = nil) throws -> Watcher {
        try Watcher(service, url, token: "", lastEventID: id, receiveBuffer: receiveBuffer)
    }

    /// Changes the watched URLs, and returns the position in the log from which on the change applies.
    @discardableResult
    func patch(_ body: String, token: String? = nil) throws -> Int64 {
        let answer = try service.send("PATCH", "/v1/streams/\(id)", body, token: token)
        guard answer.status == 200, let seq = answer["seq"]?.integer else {
            throw UnexpectedResponse(text: answer.text)
        }
        return seq
    }
}

extension Watcher.Event {
    /// The event's data as JSON.
    var value: JSONValue? { try? JSONDocument(Array(data.utf8)).root }

    /// The events of a stream with names, as "name event seq".
    var received: [String] {
        let seq = value?["seq"]?.integer.map(String.init) ?? ""
        switch name {
        case "change":
            return value?["for"]?.elements.map { given in
                let reason = given["reason"]?.string.map { " (\($0))" } ?? ""
                return "\(given["name"]?.string ?? "") \(given["event"]?.string ?? "")\(reason) \(seq)"
            } ?? []
        case "subscribed":
            let names = value?["names"]?.elements.compactMap(\.string) ?? []
            return ["subscribed \(names.joined(separator: ",")) \(seq)"]
        case "snapshot", "gone", "reset":
            let reason = value?["reason"]?.string.map { " (\($0))" } ?? ""
            return ["\(value?["name"]?.string ?? "") \(name)\(reason)\(seq.isEmpty ? "" : " \(seq)")"]
        case "bookmark": return []
        default: return [name]
        }
    }
}

extension Watcher {
    /// The events that each name received, in order.
    var received: [String] { events.flatMap(\.received) }
}
