import Foundation
import JSON

/// The events of a stream with names, over all its connections, and its violations of the stream's guarantees.
struct StreamLog {
    /// A name from its begin to its end.
    struct Life {
        let name: String
        let revision: Int64
        /// The change after which the name watches.
        let seq: Int64
        let connection: Int
        var items: [SingleLog.Item] = []
        var gone: String?

        var received: [ReceivedEvents] {
            items.compactMap { if case .received(let received) = $0 { received } else { nil } }
        }
    }

    struct Subscribed {
        let revision: Int64
        let seq: Int64
        let connection: Int
    }

    private(set) var lives: [Life] = []
    private(set) var subscribed: [Subscribed] = []
    private(set) var problems: [String] = []
    private(set) var endings: [String] = []
    private(set) var resets: [String] = []

    private var alive: [String: Int] = [:]
    /// The position of the last id.
    private var place: (seq: Int64, revision: Int64) = (0, 0)
    private var transaction: (number: Int64, isOver: Bool, connection: Int)?
    private var over: Set<Int64> = []
    private var known: Set<String> = []
    private var newest: Int64 = 0

    init(_ events: [StreamReader.Event]) {
        for event in Self.kept(events) { take(event) }
        if let transaction, !transaction.isOver { problems.append("no last of transaction \(transaction.number)") }
    }

    /// Returns the events without those after the last id of a connection that was opened again, because they are sent
    /// again.
    static func kept(_ events: [StreamReader.Event]) -> [StreamReader.Event] {
        let connections = Dictionary(grouping: events, by: \.connection)
        let last = connections.keys.max() ?? 0
        return connections.keys.sorted().flatMap { number -> ArraySlice<StreamReader.Event> in
            let all = (connections[number] ?? [])[...]
            guard number < last else { return all }
            return all.prefix((all.lastIndex { $0.id != nil } ?? -1) + 1)
        }
    }

    private mutating func take(_ event: StreamReader.Event) {
        if let text = event.data {
            guard let data = try? JSONDocument(Array(text.utf8)).root else {
                return problems.append("no JSON: \(event.name) \(text.prefix(200))")
            }
            switch event.name {
            case "subscribed": begin(data, event.connection)
            case "snapshot": show(data)
            case "change": change(data, event)
            case "gone": end(data)
            case "bookmark": break
            case "reset": resets.append(text)
            case "taken", "end": endings.append("\(event.name) \(text)")
            default: problems.append("an event \(event.name)")
            }
        }
        if let id = event.id { move(id) }
    }

    private mutating func begin(_ data: JSONValue, _ connection: Int) {
        let (revision, seq) = (data["revision"]?.integer ?? -1, data["seq"]?.integer ?? -1)
        subscribed.append(Subscribed(revision: revision, seq: seq, connection: connection))
        for name in data["names"]?.elements.compactMap(\.string) ?? [] {
            alive[name] = lives.count
            lives.append(Life(name: name, revision: revision, seq: seq, connection: connection))
        }
        // A name that begins with a cursor gets the events after it.
        (over, known, newest) = ([], [], 0)
        // The rest of a transaction may belong to names that have other URLs now.
        transaction = nil
    }

    private mutating func show(_ data: JSONValue) {
        guard let name = data["name"]?.string, let life = alive[name], let value = data["value"] else {
            return problems.append("a snapshot of nothing: \(ReceivedEvents.text(data["name"]))")
        }
        lives[life].items.append(.snapshot(seq: data["seq"]?.integer ?? -1, value))
    }

    private mutating func end(_ data: JSONValue) {
        guard let name = data["name"]?.string, let life = alive.removeValue(forKey: name) else {
            return problems.append("gone, and was not there: \(ReceivedEvents.text(data["name"]))")
        }
        lives[life].gone = data["reason"]?.string ?? ""
    }

    private mutating func change(_ data: JSONValue, _ event: StreamReader.Event) {
        let seq = data["seq"]?.integer ?? -1
        let whole = ReceivedEvents(data, event: "", how: data)
        if seq < newest { problems.append("\(whole) after \(newest)") }
        newest = max(newest, seq)
        if !known.insert("\(seq) \(whole.subject)").inserted { problems.append("twice: \(whole)") }
        var names: Set<String> = []
        for how in data["for"]?.elements.map({ $0 }) ?? [] {
            let name = how["name"]?.string ?? "?"
            if !names.insert(name).inserted { problems.append("named twice: \(name) \(whole)") }
            guard let life = alive[name] else {
                problems.append("not watched: \(name) \(whole)")
                continue
            }
            lives[life].items.append(.received(ReceivedEvents(data, event: how["event"]?.string ?? "?", how: how)))
        }
        if names.isEmpty { problems.append("for nobody: \(whole)") }
        follow(whole.transaction, isLast: data["isLast"]?.bool ?? false, event.connection)
    }

    /// Checks that a transaction's events are contiguous, and that the last one is marked.
    private mutating func follow(_ number: Int64, isLast: Bool, _ connection: Int) {
        if let transaction, transaction.number != number || transaction.isOver {
            if !transaction.isOver, transaction.connection == connection {
                problems.append("no last of transaction \(transaction.number) before \(number)")
            }
            over.insert(transaction.number)
        }
        if over.contains(number) { problems.append("transaction \(number) goes on after its last") }
        transaction = (number, isLast, connection)
    }

    private mutating func move(_ id: String) {
        guard let match = id.wholeMatch(of: #/[0-9a-f]+-(\d+)\.s[0-9a-f]{8}\.r(\d+)(\.d\d+)?(\.g[0-9a-f]+)?/#),
            let seq = Int64(match.1), let revision = Int64(match.2)
        else { return problems.append("the id \(id)") }
        if (seq, revision) < place { problems.append("\(id) after \(place)") }
        if revision < place.revision { problems.append("\(id) after revision \(place.revision)") }
        place = (seq, revision)
    }
}
