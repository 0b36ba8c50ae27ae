public import JSON

/// A change of one member by a JSON merge patch (RFC 7396): none, a removal, or a new value.
public enum MergePatchMember<Value: Sendable>: Sendable {
    case keep
    case clear
    case set(Value)

    /// Applies the change to an optional value.
    public func apply(to value: inout Value?) {
        switch self {
        case .keep: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }

    /// A Boolean value indicating whether there is no change.
    public var isKept: Bool { if case .keep = self { true } else { false } }

    /// The new value, or `nil` for a removal or no change.
    public var given: Value? { if case .set(let value) = self { value } else { nil } }
}

extension ObjectDecoder.Decoded where T: Sendable {
    /// The member as a change. An invalid member was noted as a violation and changes nothing.
    public var patch: MergePatchMember<T> {
        switch self {
        case .absent, .invalid: .keep
        case .null: .clear
        case .value(let value): .set(value)
        }
    }
}
