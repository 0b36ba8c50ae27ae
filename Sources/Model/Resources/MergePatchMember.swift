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

    /// Returns the change with its value transformed.
    public func map<Other>(_ transform: (Value) -> Other) -> MergePatchMember<Other> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let value): .set(transform(value))
        }
    }
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

/// The form of a body, which decides which members it must have.
public enum RequestBodyForm: Sendable {
    /// The whole resource: required members must be present, absent ones are null.
    case whole
    /// A merge patch: absent members keep their values.
    case patch
}

extension ObjectDecoder {
    /// Returns the value of the member. Notes a violation if it is null, or absent from a whole body.
    public mutating func required<T>(_ name: StaticString, _ decoded: Decoded<T>, _ form: RequestBodyForm) -> T? {
        switch (decoded, form) {
        case (.absent, .whole): missing(name)
        case (.null, _): refuse(name, "must not be null")
        default: break
        }
        return decoded.value
    }
}
