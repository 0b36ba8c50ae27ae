import JSON
public import Model

/// A page of a list.
public struct Page<Value: Resource>: Sendable {
    public let items: [Value]
    /// The `cursor` of the following page, or `nil` on the last one.
    public let next: String?
    /// The cursor from which to watch without a gap.
    public let after: String

    init(_ json: JSONValue) throws(LecternClientError) {
        guard let items = json["items"] else { throw .misunderstood("the response is not a list") }
        var values: [Value] = []
        for item in items.elements {
            guard let representation = ResourceRepresentation(item), let value = Value(representation) else {
                throw .misunderstood("the response is not a list of \(Value.kind.name)s")
            }
            values.append(value)
        }
        self.items = values
        next = json["next"]?.string
        after = json["after"]?.string ?? ""
    }
}
