/// The result of decoding a member of an object. In a merge patch (RFC 7396), an absent member keeps its value, and
/// `null` removes it.
public enum DecodedMember<Value> {
    case absent
    case null
    case value(Value)
    /// The member is invalid, and a violation has been recorded.
    case invalid

    public var value: Value? { if case .value(let value) = self { value } else { nil } }
    public var isNull: Bool { if case .null = self { true } else { false } }
    public var isInvalid: Bool { if case .invalid = self { true } else { false } }

    /// A Boolean value indicating whether a merge patch leaves the member as it is.
    public var isKept: Bool { value == nil && !isNull }

    /// Applies the member of a merge patch to an optional value.
    public func apply(to old: inout Value?) { if !isKept { old = value } }

    /// Returns the result with its value transformed.
    public func map<Other>(_ transform: (Value) -> Other) -> DecodedMember<Other> {
        flatMap { .value(transform($0)) }
    }

    /// Returns what the value is transformed to, and any other result as it is.
    public func flatMap<Other>(_ transform: (Value) -> DecodedMember<Other>) -> DecodedMember<Other> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): transform(value)
        case .invalid: .invalid
        }
    }
}

extension DecodedMember: Equatable where Value: Equatable {}
extension DecodedMember: Sendable where Value: Sendable {}
