public import JSON

/// What a JSON merge patch (RFC 7396) says of one member: nothing, remove it, or set it.
public enum Patch<Value: Sendable>: Sendable {
    case keep
    case clear
    case set(Value)

    /// Applies itself to a member that may be absent.
    public func apply(to value: inout Value?) {
        switch self {
        case .keep: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }

    /// Applies itself to a member that is always there; the decoder has refused its removal.
    public func apply(to value: inout Value) {
        if case .set(let new) = self { value = new }
    }

    /// Whether it says nothing.
    public var isKept: Bool { if case .keep = self { true } else { false } }

    /// The same said of a value made from this one.
    public func map<Other>(_ transform: (Value) -> Other) -> Patch<Other> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let value): .set(transform(value))
        }
    }
}

extension ObjectDecoder.Decoded where T: Sendable {
    /// The member as a patch; what was invalid has been noted and counts as absent.
    public var patch: Patch<T> {
        switch self {
        case .absent, .invalid: .keep
        case .null: .clear
        case .value(let value): .set(value)
        }
    }
}

/// Which members a body must have.
public enum BodyForm: Sendable {
    /// The whole resource: required members must be there, absent ones are null.
    case whole
    /// A merge patch: absent members stay as they are.
    case patch
}

extension ObjectDecoder {
    /// The member as a patch that never clears: null is refused, and absence too in a whole body.
    public mutating func required<T: Sendable>(_ name: StaticString, _ decoded: Decoded<T>, _ form: BodyForm) -> Patch<
        T
    > {
        switch (decoded, form) {
        case (.absent, .whole):
            missing(name)
            return .keep
        case (.null, _):
            refuse(name, "must not be null")
            return .keep
        default: return decoded.patch
        }
    }
}
