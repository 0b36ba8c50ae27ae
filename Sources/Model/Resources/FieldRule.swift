public import JSON

/// A rule for a field in a request, as a whole body or a merge patch (RFC 7396).
public struct FieldRule<Value: StorableValue>: Sendable {
    /// A closure that decodes the new value. It returns `nil` if the body leaves the field alone, or after it noted a
    /// violation.
    let decode: @Sendable (inout ObjectDecoder, StaticString, RequestBodyForm) -> Value?

    public init(_ decode: @escaping @Sendable (inout ObjectDecoder, StaticString, RequestBodyForm) -> Value?) {
        self.decode = decode
    }

    /// Creates a rule that allows null.
    init<Wrapped>(
        orNull decode: @escaping @Sendable (inout ObjectDecoder, StaticString) -> DecodedMember<Wrapped>
    ) where Value == Wrapped? {
        self.init { decoder, name, _ in
            switch decode(&decoder, name) {
            case .absent, .invalid: nil
            case .null: .some(nil)
            case .value(let value): .some(value)
            }
        }
    }
}

/// A rule bound to a field of a kind of resource.
@usableFromInline
struct ResourceFieldRule<Owner>: Sendable {
    @usableFromInline
    let decode: @Sendable (inout ObjectDecoder, RequestBodyForm) -> (@Sendable (inout Owner) -> Void)?

    init<Value: StorableValue>(
        _ name: StaticString, _ rule: FieldRule<Value>, _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) {
        decode = { decoder, form in
            guard let value = rule.decode(&decoder, name, form) else { return nil }
            return { set(&$0, value) }
        }
    }
}

/// The changes that a request makes to the fields of a resource that have rules.
public struct MergePatch<Owner: Resource>: RequestBody {
    @usableFromInline
    var steps: [@Sendable (inout Owner) -> Void] = []

    // Inlinable, like the encoding of resources.

    @inlinable
    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        steps.reserveCapacity(Owner.fields.rules.count)
        for rule in Owner.fields.rules {
            if let step = rule.decode(&decoder, form) { steps.append(step) }
        }
    }

    @inlinable
    public func apply(to resource: inout Owner) { for step in steps { step(&resource) } }

    /// Returns the resource with the changes applied.
    @inlinable
    public func applied(to resource: Owner) -> Owner {
        var resource = resource
        apply(to: &resource)
        return resource
    }
}

// MARK: - Rules

extension FieldRule where Value == String {
    /// Returns a rule that requires a visible text with a number of characters in the range.
    public static func text(_ length: ClosedRange<Int>) -> FieldRule {
        FieldRule { decoder, name, form in decoder.required(name, decoder.visibleText(name, length: length), form) }
    }
}

extension FieldRule where Value == String? {
    /// Returns a rule that allows null, or a text with a number of characters in the range.
    public static func text(_ length: ClosedRange<Int>, multiline: Bool = false) -> FieldRule {
        FieldRule(orNull: { $0.string($1, length: length, multiline: multiline) })
    }

    /// A rule that allows null, or an http or https URL.
    public static let url = FieldRule(orNull: { $0.url($1) })
}

extension FieldRule where Value == Bool {
    /// A rule that requires a Boolean value.
    public static let bool = FieldRule { decoder, name, _ in decoder.required(name, decoder.bool(name), .patch) }
}

extension FieldRule where Value == Int32 {
    /// Returns a rule that requires a whole number in the range.
    public static func number(_ range: ClosedRange<Int64>) -> FieldRule {
        FieldRule { decoder, name, _ in
            decoder.required(name, decoder.integer(name, in: range), .patch).map { Int32($0) }
        }
    }
}

extension FieldRule where Value == Int32? {
    /// Returns a rule that allows null, or a whole number in the range.
    public static func number(_ range: ClosedRange<Int64>) -> FieldRule {
        FieldRule(orNull: { $0.integer($1, in: range).map { Int32($0) } })
    }
}

extension FieldRule where Value == Progress? {
    /// A rule that allows null, or a share from 0 to 1.
    public static let share = FieldRule(orNull: { $0.share($1) })
}

extension FieldRule where Value == Instant {
    /// A rule that requires a time.
    public static let instant = FieldRule { decoder, name, form in
        decoder.required(name, decoder.instant(name), form)
    }
}

extension FieldRule where Value == Instant? {
    /// A rule that allows null, or a time.
    public static let moment = FieldRule(orNull: { $0.instant($1) })
}

extension FieldRule where Value == ResourceID? {
    /// A rule that allows null, or the id of a resource.
    public static let id = FieldRule(orNull: { $0.resourceID($1) })
}

extension FieldRule where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// A rule that allows one of the type's raw values.
    public static var choice: FieldRule {
        FieldRule { decoder, name, _ in decoder.choice(name) }
    }

    /// A rule that requires one of the type's raw values.
    static var requiredChoice: FieldRule {
        FieldRule { decoder, name, form in decoder.required(name, decoder.choiceOrNull(name), form) }
    }
}

extension FieldRule {
    /// Returns a rule that allows null, or one of the type's raw values.
    public static func choiceOrNull<Word>() -> FieldRule
    where Value == Word?, Word: StorableValue & RawRepresentable & CaseIterable, Word.RawValue == String {
        FieldRule(orNull: { $0.choiceOrNull($1) })
    }
}
