public import JSON

/// A rule for a field in a request, as a whole body or a merge patch (RFC 7396).
public struct FieldRule<Value: StorableValue>: Sendable {
    /// A closure that decodes the new value. It returns `nil` if the body leaves the field alone, or after it noted a
    /// violation.
    let decode: @Sendable (inout ObjectDecoder, StaticString, RequestBodyForm) -> Value?

    public init(_ decode: @escaping @Sendable (inout ObjectDecoder, StaticString, RequestBodyForm) -> Value?) {
        self.decode = decode
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
public struct MergePatch<Owner: Resource>: Sendable {
    @usableFromInline
    var steps: [@Sendable (inout Owner) -> Void] = []

    // Inlinable, like the encoding of resources.

    /// Decodes the fields from a body and notes violations.
    @inlinable
    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        steps.reserveCapacity(Owner.fields.rules.count)
        for rule in Owner.fields.rules {
            if let step = rule.decode(&decoder, form) { steps.append(step) }
        }
    }

    /// Decodes a body that contains nothing else. Throws `RequestError.invalid` with all violations.
    @inlinable
    public init(_ body: JSONValue, form: RequestBodyForm) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        self.init(&decoder, form)
        try decoder.demandValid()
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

extension ObjectDecoder {
    /// Throws `RequestError.invalid` with all violations, if there are any.
    public mutating func demandValid() throws(RequestError) {
        let violations = finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}

// MARK: - Rules

extension FieldRule where Value == String {
    /// Returns a rule that requires a text with a number of characters in the range.
    public static func text(_ length: ClosedRange<Int>) -> FieldRule {
        FieldRule { decoder, name, form in decoder.required(name, decoder.string(name, length: length), form) }
    }
}

extension FieldRule where Value == String? {
    /// Returns a rule that allows null, or a text with a number of characters in the range.
    public static func text(_ length: ClosedRange<Int>, multiline: Bool = false) -> FieldRule {
        FieldRule { decoder, name, _ in decoder.string(name, length: length, multiline: multiline).patch.saidOrCleared }
    }

    /// A rule that allows null, or an http or https URL.
    public static let url = FieldRule { decoder, name, _ in decoder.url(name).patch.saidOrCleared }
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
        FieldRule { decoder, name, _ in decoder.integer(name, in: range).patch.map { Int32($0) }.saidOrCleared }
    }
}

extension FieldRule where Value == Progress? {
    /// A rule that allows null, or a share from 0 to 1.
    public static let share = FieldRule { decoder, name, _ in
        decoder.number(name, in: 0...1).patch.map { Progress($0) ?? .none }.saidOrCleared
    }
}

extension FieldRule where Value == Instant {
    /// A rule that requires a time.
    public static let instant = FieldRule { decoder, name, form in
        decoder.required(name, decoder.instant(name), form)
    }
}

extension FieldRule where Value == Instant? {
    /// A rule that allows null, or a time.
    public static let moment = FieldRule { decoder, name, _ in decoder.instant(name).patch.saidOrCleared }
}

extension FieldRule where Value == ResourceID? {
    /// A rule that allows null, or the id of a resource.
    public static let id = FieldRule { decoder, name, _ in decoder.resourceID(name).patch.saidOrCleared }
}

extension FieldRule where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// A rule that requires one of the type's raw values.
    public static var choice: FieldRule {
        FieldRule { decoder, name, _ in decoder.choice(name) }
    }
}

extension FieldRule {
    /// Returns a rule that allows null, or one of the type's raw values.
    public static func choiceOrNone<Word>() -> FieldRule
    where Value == Word?, Word: StorableValue & RawRepresentable & CaseIterable, Word.RawValue == String {
        FieldRule { decoder, name, _ in (decoder.choiceOrNone(name) as MergePatchMember<Word>).saidOrCleared }
    }
}

extension ObjectDecoder {
    /// Decodes null, or one of the type's raw values.
    mutating func choiceOrNone<Word>(_ name: StaticString) -> MergePatchMember<Word>
    where Word: RawRepresentable & CaseIterable & Sendable, Word.RawValue == String {
        if case .null = value(name) { .clear } else { choice(name).map { .set($0) } ?? .keep }
    }
}

extension MergePatchMember {
    /// The new value, or `nil` for a removal or no change.
    var given: Value? { if case .set(let value) = self { value } else { nil } }

    /// The new value, or `.some(nil)` for a removal; `nil` for no change.
    var saidOrCleared: Value?? {
        switch self {
        case .keep: nil
        case .clear: .some(nil)
        case .set(let value): .some(value)
        }
    }
}
