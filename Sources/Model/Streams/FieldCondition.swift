import JSON

/// A value that the resources of a list have in a field. The list's query and its streams use the same condition.
public struct FieldCondition: Hashable, Sendable {
    /// The name of the field.
    public let name: String
    /// The value as it is stored: an id, a text, or 0 or 1.
    public let value: DatabaseValue

    /// Returns the condition without an id or a text. It determines the SQL, to which those are bound.
    public var shape: FieldCondition {
        if case .integer = value { self } else { FieldCondition(name: name, value: .null) }
    }

    /// Returns whether a resource has the value in the field.
    func matches(_ representation: ResourceRepresentation) -> Bool {
        guard let json = representation[name] else { return false }
        return switch value {
        case .id(let id): ResourceID(json: json) == id
        case .text(let text): json.string == text
        case .integer(let flag): json.bool == (flag != 0)
        case .null, .digest, .bytes: false
        }
    }
}
