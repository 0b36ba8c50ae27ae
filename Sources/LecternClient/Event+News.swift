import JSON
import Model

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
        case "deleted", "leave":
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
