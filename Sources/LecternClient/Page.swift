import JSON
public import Model

/// A page of a list.
public struct Page<Value: Resource>: Sendable {
    public let items: [Value]
    /// Passed as `cursor` it gives the following page; nil on the last.
    public let next: String?
    /// Watching from there leaves no gap.
    public let after: String
    /// As of which change.
    let seq: Int64

    init(_ json: JSONValue) throws(LecternClientError) {
        guard let items = json["items"], let seq = json["seq"]?.integer else {
            throw .misunderstood("the answer is no list")
        }
        var values: [Value] = []
        for item in items.elements {
            guard let representation = Representation(item), let value = Value(representation) else {
                throw .misunderstood("the answer is no list of \(Value.kind.name)s")
            }
            values.append(value)
        }
        self.items = values
        self.seq = seq
        next = json["next"]?.string
        after = json["after"]?.string ?? ""
    }
}
