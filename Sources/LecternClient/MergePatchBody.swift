import JSON
import Model

/// What a `PATCH` says so that one state of a resource becomes another.
enum MergePatchBody {
    /// What follows from another field, which says it.
    private static let following: [ResourceKind: [String: String]] = [
        .reading: ["isFinished": "state", "page": "pageCount"]
    ]

    /// The fields that differ; nil when none does. What may not be changed the server refuses by name.
    static func of<Value: Resource>(_ new: Value, since old: Value) throws(LecternClientError) -> [UInt8]? {
        guard let difference = new.difference(from: old) else { return nil }
        let value = try Answer.json(difference.value)
        let all = Value.kind.fieldNames
        let names = difference.changed.indices.map { all[$0].description }
        var json = JSONWriter()
        json.beginObject()
        for name in names {
            if let source = following[Value.kind]?[name], names.contains(source) { continue }
            guard let said = value[name] else { continue }
            json.name(name)
            json.value(said)
        }
        json.endObject()
        return json.bytes
    }
}
