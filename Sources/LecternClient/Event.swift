public import JSON

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
        "snapshot", "created", "updated", "deleted", "enter", "leave", "unlocked", "change", "subscribed",
    ]

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
