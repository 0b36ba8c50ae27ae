import JSON
import Model

/// The body of a `PATCH` that turns one state of a resource into another.
enum MergePatchBody {
    /// The derived fields of each kind, each with the field from which it is derived.
    private static let following: [ResourceKind: [String: String]] = [
        .reading: ["isFinished": "state", "page": "pageCount"]
    ]

    /// Returns a patch of the fields that differ, or `nil` if none does. The server refuses read-only fields by name.
    static func of<Value: Resource>(_ new: Value, since old: Value) throws(LecternClientError) -> [UInt8]? {
        guard let difference = new.difference(from: old) else { return nil }
        let value = try ClientResponse.json(difference.value)
        let all = Value.kind.fieldNames
        let names = difference.changed.indices.map { all[$0].description }
        return JSONWriter.object { json in
            for name in names {
                if let source = following[Value.kind]?[name], names.contains(source) { continue }
                guard let given = value[name] else { continue }
                json.name(name)
                json.value(given)
            }
        }
    }
}
