import JSON

/// Redactions of a note's representation, for changes of which parts are no longer sent.
extension Note {
    /// Returns the representation without its author, or `nil` if the bytes are not a representation.
    public static func withoutAuthor(_ value: [UInt8]) -> [UInt8]? {
        rewritten(value, without: ["authorName"]) { name, json in
            guard name == "author" else { return false }
            json.string(ResourceID.zero)
            return true
        }
    }

    /// Returns the representation without its text, or `nil` if the bytes are not a representation.
    public static func withoutText(_ value: [UInt8]) -> [UInt8]? {
        rewritten(value, without: ["position", "opensAt", "quote", "language"]) { name, json in
            guard name == "body" else { return false }
            json.string("")
            return true
        }
    }

    private static func rewritten(
        _ value: [UInt8], without names: Set<String>, _ write: (String, inout JSONWriter) -> Bool
    ) -> [UInt8]? {
        guard let root = ResourceRepresentation(value)?.value else { return nil }
        return JSONWriter.object(capacity: value.count) { json in
            for member in root.members where !names.contains(member.name) {
                json.name(member.name)
                if !write(member.name, &json) { json.raw(member.value.encoded) }
            }
        }
    }
}

extension Change {
    private static let author = Note.fields["author"]

    /// A Boolean value indicating whether the change shows a note without an author.
    public var hasNoAuthor: Bool {
        guard kind == .note, let given = (value ?? before).flatMap({ ResourceRepresentation($0) }) else { return false }
        return given["author"].flatMap { ResourceID(json: $0) } == .zero
    }

    /// A Boolean value indicating whether the change removes a note's author. Readers who block that author then see
    /// the note, too.
    public var makesNameless: Bool {
        kind == .note && operation == .updated && !changed.isDisjoint(with: Self.author)
    }
}
