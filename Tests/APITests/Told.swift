import Foundation
import JSON

/// What a stream told of one change to one of its URLs, in the same words whether it has names or is of that URL alone.
struct Told: Equatable, CustomStringConvertible {
    let seq: Int64
    let transaction: Int64
    /// Of what: kind and id.
    let subject: String
    let event: String
    /// The reason of a `leave`, and the neighbour.
    let more: String
    let payload: String
    let value: JSONValue?

    /// Members that say how a change belongs to a stream, not what it is.
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

    static func == (left: Told, right: Told) -> Bool {
        left.seq == right.seq && left.event == right.event && left.subject == right.subject && left.more == right.more
            && left.payload == right.payload
    }

    var description: String { "\(seq) \(event) \(subject) [\(more)] \(payload.prefix(300))" }

    /// The same state, whatever was changed to get there.
    func isState(of other: Told) -> Bool {
        seq == other.seq && event == other.event && subject == other.subject && more == other.more
            && Self.text(value) == Self.text(other.value)
    }

    static func text(_ value: JSONValue?) -> String { value.map { String(decoding: $0.encoded, as: UTF8.self) } ?? "-" }
}

/// What a URL answered, kept up to date by what a stream tells.
struct ToldCopy: Equatable {
    /// By id, as written.
    private(set) var items: [String: String] = [:]
    /// Whether it is more than a first page.
    private(set) var isWhole = true

    /// From a snapshot, or what `GET` answers.
    init(_ value: JSONValue) {
        if let list = value["items"] {
            isWhole = value["next"]?.isNull ?? true
            for item in list.elements { items[item["id"]?.string ?? "?"] = Told.text(item) }
        } else {
            items[value["id"]?.string ?? "?"] = Told.text(value)
        }
    }

    mutating func apply(_ told: Told) {
        let id = String(told.subject.split(separator: " ").last ?? "?")
        items[id] = ["leave", "deleted"].contains(told.event) ? nil : Told.text(told.value)
    }
}

/// What a stream of one URL told.
struct SingleLog {
    enum Item {
        case snapshot(seq: Int64, JSONValue)
        case told(Told)
    }

    private(set) var items: [Item] = []
    private(set) var problems: [String] = []

    init(_ watcher: Watcher) {
        var last: Told?
        for event in watcher.events {
            guard let data = try? JSONDocument(Array(event.data.utf8)).root else {
                problems.append("no JSON: \(event.data.prefix(100))")
                continue
            }
            if event.name == "snapshot" {
                items.append(.snapshot(seq: Int64(event.id?.split(separator: "-").last ?? "") ?? -1, data))
            } else if event.name != "reset" {
                let told = Told(data, event: event.name, how: data)
                if let last, last.seq > told.seq { problems.append("\(told) after \(last)") }
                last = told
                items.append(.told(told))
            }
        }
    }

    var told: [Told] {
        items.compactMap { if case .told(let told) = $0 { told } else { nil } }
    }

    /// Whether it is sent whole: nothing but snapshots.
    var isView: Bool { told.isEmpty && items.count > 1 }

    /// What it was after a change.
    func copy(at seq: Int64) -> ToldCopy? {
        var copy: ToldCopy?
        for item in items {
            switch item {
            case .snapshot(let at, let value):
                if at <= seq || copy == nil { copy = ToldCopy(value) }
            case .told(let told):
                if told.seq <= seq { copy?.apply(told) }
            }
        }
        return copy
    }
}
