public import JSON
import Model

/// An event of a stream.
public struct Event: Sendable {
    /// The event's name in the contract: `snapshot`, `updated`, ….
    public let name: String
    /// The data: one line of JSON.
    public let data: [UInt8]
    /// The position after this event. A stream opened with it resumes there.
    public let cursor: String

    /// Returns the data as JSON.
    public func json() throws(LecternClientError) -> JSONValue { try ClientResponse.json(data) }

    /// Returns whether events with a name are complete without an id. Of all others, such as changes, the last of
    /// several carries the id, and a bookmark has one only if it moves the cursor.
    static func isComplete(_ name: String) -> Bool { ["ahead", "gone", "reset", "taken", "end"].contains(name) }

    /// Returns whether an event with a name is the last one of its stream.
    static func isLast(_ name: String) -> Bool { name == "taken" || name == "end" }

    /// The reason why the stream ends with this event, or `nil` if it continues.
    var ending: StreamEndReason? {
        switch name {
        case "taken": return .taken
        case "end": return .endedByServer((try? json())?["reason"]?.string ?? "the server ended the stream")
        default: return nil
        }
    }

    /// Returns the entity tag of a version in this event.
    func etag(of version: Int64) -> String { "\"\(cursor.prefix { $0 != "-" })-\(version)\"" }
}

extension Event {
    /// The change to a resource, or to a list of resources, that an event describes.
    enum ResourceChange<Value: Resource> {
        /// The current state: a representation or a page.
        case snapshot(JSONValue)
        /// A new state, and in a list the item that now follows, or `nil` at its end.
        case now(Value, before: ResourceID?)
        case gone(ResourceID)
        /// The watched URL is gone as a whole, or no longer visible.
        case over
        case other
    }

    func news<Value: Resource>(of _: Value.Type) throws(LecternClientError) -> ResourceChange<Value> {
        switch name {
        case "snapshot": return .snapshot(try json())
        case "deleted", "leave", "hidden":
            let json = try json()
            guard json["resource"]?.string == Value.kind.name else { return .over }
            guard let id = json["id"].flatMap({ ResourceID(json: $0) }) else {
                throw .misunderstood("an event of a \(Value.kind.name) has no id")
            }
            return .gone(id)
        // A change with a value, whatever its name.
        default:
            let json = try json()
            guard json["resource"]?.string == Value.kind.name else { return .other }
            guard let value = json["value"].flatMap({ ResourceRepresentation($0) }).flatMap({ Value($0) }) else {
                throw .misunderstood("an event of a \(Value.kind.name) has an unexpected form")
            }
            return .now(value, before: json["before"].flatMap { ResourceID(json: $0) })
        }
    }
}
