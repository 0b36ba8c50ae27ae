public import JSON
import Model

/// One event of a stream.
public struct Event: Sendable {
    /// `snapshot`, `updated`, …: what the contract calls it.
    public let name: String
    /// Its data: one line of JSON.
    public let data: [UInt8]
    /// Behind this event: a stream that is opened with it goes on from there.
    public let cursor: String

    /// The data as JSON.
    public func json() throws(LecternClientError) -> JSONValue { try Answer.json(data) }

    /// Whether several events of that name may share an id: then the last of them bears it.
    static func isPart(_ name: String) -> Bool { parts.contains(name) }

    private static let parts: Set<String> = [
        "snapshot", "created", "updated", "deleted", "enter", "leave", "unlocked", "hidden", "change",
        "subscribed",
    ]

    /// Whether nothing comes after one of that name.
    static func isLast(_ name: String) -> Bool { name == "taken" || name == "end" }

    /// Why the stream ends with it; nil when it goes on.
    var ending: ConnectionState.Reason? {
        switch name {
        case "taken": return .taken
        case "end": return .over((try? json())?["reason"]?.string ?? "the server ended it")
        default: return nil
        }
    }

    /// The ETag of a state that it tells of.
    func etag(of version: Int64) -> String { "\"\(cursor.prefix { $0 != "-" })-\(version)\"" }
}

extension Event {
    /// What an event says of a resource, or of a list of such.
    enum News<Value: Resource> {
        /// What there is: a representation or a page.
        case snapshot(JSONValue)
        case now(Value, seq: Int64, Place)
        case gone(ResourceID, seq: Int64)
        /// What was watched is gone as a whole, or no longer to be seen.
        case over
        case other
    }

    /// Where a list has a resource.
    enum Place {
        case unsaid
        case before(ResourceID)
        case last
    }

    func news<Value: Resource>(of _: Value.Type) throws(LecternClientError) -> News<Value> {
        switch name {
        case "snapshot": return .snapshot(try json())
        case "created", "updated", "unlocked", "enter":
            let json = try json()
            guard json["resource"]?.string == Value.kind.name else { return .other }
            guard let seq = json["seq"]?.integer, let said = json["value"].flatMap({ Representation($0) }),
                let value = Value(said)
            else { throw .misunderstood("an event of a \(Value.kind.name) says no such thing") }
            return .now(value, seq: seq, Self.place(json["before"]))
        case "deleted", "leave", "hidden":
            let json = try json()
            guard json["resource"]?.string == Value.kind.name else { return .over }
            guard let seq = json["seq"]?.integer, let id = json["id"].flatMap({ ResourceID(json: $0) }) else {
                throw .misunderstood("an event of a \(Value.kind.name) does not say which")
            }
            return .gone(id, seq: seq)
        default: return .other
        }
    }

    private static func place(_ json: JSONValue?) -> Place {
        guard let json else { return .unsaid }
        return ResourceID(json: json).map { .before($0) } ?? .last
    }
}
