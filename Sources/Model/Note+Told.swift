import JSON

/// What is told of a note by what is told of it no more.
extension Note {
    /// A representation that names nobody as its author; nil of what is none.
    public static func nameless(_ value: [UInt8]) -> [UInt8]? {
        rewritten(value, without: ["authorName"]) { name, json in
            guard name == "author" else { return false }
            json.id(.zero)
            return true
        }
    }

    /// One that says nothing.
    public static func wordless(_ value: [UInt8]) -> [UInt8]? {
        rewritten(value, without: ["position", "opensAt", "quote", "language"]) { name, json in
            guard name == "body" else { return false }
            json.string("")
            return true
        }
    }

    private static func rewritten(
        _ value: [UInt8], without names: Set<String>, _ write: (String, inout JSONWriter) -> Bool
    ) -> [UInt8]? {
        guard let root = Representation(value)?.root else { return nil }
        var json = JSONWriter(capacity: value.count)
        json.beginObject()
        for member in root.members where !names.contains(member.name) {
            json.name(member.name)
            if !write(member.name, &json) { json.raw(member.value.encoded) }
        }
        json.endObject()
        return json.bytes
    }
}

extension Change {
    private static let author = Note.fields["author"]

    /// Whether what it says of a note names nobody.
    public var namesNobody: Bool {
        guard kind == .note, let said = (value ?? before).flatMap({ Representation($0) }) else { return false }
        return said["author"].flatMap { ResourceID(json: $0) } == .zero
    }

    /// Whether by it a note names nobody as its author any more: then it is shown to those, too, who block whoever that was.
    public var makesNameless: Bool {
        kind == .note && operation == .updated && !changed.isDisjoint(with: Self.author)
    }
}
