import Foundation
import JSON

/// An event about one change for one URL, in the same form for streams with names and streams of a single URL.
struct ReceivedEvents: Equatable, CustomStringConvertible {
    let seq: Int64
    let transaction: Int64
    /// The kind and the id of the resource.
    let subject: String
    let event: String
    /// The reason of a `leave`, and the neighbour in the list.
    let more: String
    let payload: String
    let value: JSONValue?

    /// The members that describe the event in its stream, not the change.
    private static let ofStream: Set<String> = ["for", "isLast", "reason", "before"]

    init(_ data: JSONValue, event: String, how: JSONValue) {
        seq = data["seq"]?.integer ?? -1
        transaction = data["transaction"]?.integer ?? -1
        subject = "\(data["resource"]?.string ?? "") \(data["id"]?.string ?? "")"
        self.event = event
        more = ["reason", "before"].map { Self.text(how[$0]) }.joined(separator: " ")
        payload = data.members.filter { !Self.ofStream.contains($0.name) }.map { "\($0.name): \(Self.text($0.value))" }
            .joined(separator: ", ")
        value = data["value"]
    }

    static func == (left: ReceivedEvents, right: ReceivedEvents) -> Bool {
        left.seq == right.seq && left.event == right.event && left.subject == right.subject && left.more == right.more
            && left.payload == right.payload
    }

    var description: String { "\(seq) \(event) \(subject) [\(more)] \(payload.prefix(300))" }

    static func text(_ value: JSONValue?) -> String { value.map { String(decoding: $0.encoded, as: UTF8.self) } ?? "-" }
}

/// A URL's response that a stream's events keep up to date.
struct ReceivedCopy: Equatable {
    /// The items by id, as JSON.
    private(set) var items: [String: String] = [:]
    /// A Boolean value indicating whether the copy is more than a first page.
    private(set) var isWhole = true

    /// Creates a copy from a snapshot, or from the response to `GET`.
    init(_ value: JSONValue) {
        if let list = value["items"] {
            isWhole = value["next"]?.isNull ?? true
            for item in list.elements { items[item["id"]?.string ?? "?"] = ReceivedEvents.text(item) }
        } else {
            items[value["id"]?.string ?? "?"] = ReceivedEvents.text(value)
        }
    }

    mutating func apply(_ received: ReceivedEvents) {
        let id = String(received.subject.split(separator: " ").last ?? "?")
        items[id] = ["leave", "deleted"].contains(received.event) ? nil : ReceivedEvents.text(received.value)
    }
}

/// The events of a stream of a single URL.
struct SingleLog {
    enum Item {
        case snapshot(seq: Int64, JSONValue)
        case received(ReceivedEvents)
    }

    private(set) var items: [Item] = []
    private(set) var problems: [String] = []

    init(_ watcher: Watcher) {
        var last: ReceivedEvents?
        for event in watcher.events {
            guard let data = try? JSONDocument(Array(event.data.utf8)).root else {
                problems.append("no JSON: \(event.data.prefix(100))")
                continue
            }
            if event.name == "snapshot" {
                items.append(.snapshot(seq: Int64(event.id?.split(separator: "-").last ?? "") ?? -1, data))
            } else if event.name != "reset" {
                let received = ReceivedEvents(data, event: event.name, how: data)
                if let last, last.seq > received.seq { problems.append("\(received) after \(last)") }
                last = received
                items.append(.received(received))
            }
        }
    }

    var received: [ReceivedEvents] {
        items.compactMap { if case .received(let received) = $0 { received } else { nil } }
    }

    /// A Boolean value indicating whether the URL is a view, which sends only snapshots.
    var isView: Bool { received.isEmpty && items.count > 1 }

    /// Returns the state after a change.
    func copy(at seq: Int64) -> ReceivedCopy? {
        var copy: ReceivedCopy?
        for item in items {
            switch item {
            case .snapshot(let at, let value):
                if at <= seq || copy == nil { copy = ReceivedCopy(value) }
            case .received(let received):
                if received.seq <= seq { copy?.apply(received) }
            }
        }
        return copy
    }
}
