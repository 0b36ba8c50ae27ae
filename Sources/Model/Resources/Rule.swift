public import JSON

/// A rule for a field in a request, as a whole body or a merge patch (RFC 7396).
public struct Rule<Value: Storable>: Sendable {
    /// A closure that decodes the new value. It returns `nil` if the body leaves the field alone, or after it noted a
    /// violation.
    let decode: @Sendable (inout ObjectDecoder, StaticString, BodyForm) -> Value?

    public init(_ decode: @escaping @Sendable (inout ObjectDecoder, StaticString, BodyForm) -> Value?) {
        self.decode = decode
    }
}

/// A rule bound to a field of a kind of resource.
@usableFromInline
struct MergeRule<Owner>: Sendable {
    @usableFromInline
    let decode: @Sendable (inout ObjectDecoder, BodyForm) -> (@Sendable (inout Owner) -> Void)?

    init<Value: Storable>(
        _ name: StaticString, _ rule: Rule<Value>, _ set: @escaping @Sendable (inout Owner, Value) -> Void
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
    public init(_ decoder: inout ObjectDecoder, _ form: BodyForm) {
        steps.reserveCapacity(Owner.fields.rules.count)
        for rule in Owner.fields.rules {
            if let step = rule.decode(&decoder, form) { steps.append(step) }
        }
    }

    /// Decodes a body that contains nothing else. Throws `LecternError.invalid` with all violations.
    @inlinable
    public init(_ body: JSONValue, form: BodyForm) throws(LecternError) {
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
    /// Throws `LecternError.invalid` with all violations, if there are any.
    public mutating func demandValid() throws(LecternError) {
        let violations = finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}

// MARK: - Rules

extension Rule where Value == String {
    /// Returns a rule that requires a text with a number of characters in the range.
    public static func text(_ length: ClosedRange<Int>) -> Rule {
        Rule { decoder, name, form in decoder.required(name, decoder.string(name, length: length), form).said }
    }
}

extension Rule where Value == String? {
    /// Returns a rule that allows null, or a text with a number of characters in the range.
    public static func text(_ length: ClosedRange<Int>, multiline: Bool = false) -> Rule {
        Rule { decoder, name, _ in decoder.string(name, length: length, multiline: multiline).patch.saidOrCleared }
    }

    /// A rule that allows null, or an http or https URL.
    public static let url = Rule { decoder, name, _ in decoder.url(name).patch.saidOrCleared }
}

extension Rule where Value == Bool {
    /// A rule that requires a Boolean value.
    public static let bool = Rule { decoder, name, _ in decoder.required(name, decoder.bool(name), .patch).said }
}

extension Rule where Value == Int32 {
    /// Returns a rule that requires a whole number in the range.
    public static func number(_ range: ClosedRange<Int64>) -> Rule {
        Rule { decoder, name, _ in
            decoder.required(name, decoder.integer(name, in: range), .patch).map { Int32($0) }.said
        }
    }
}

extension Rule where Value == Int32? {
    /// Returns a rule that allows null, or a whole number in the range.
    public static func number(_ range: ClosedRange<Int64>) -> Rule {
        Rule { decoder, name, _ in decoder.integer(name, in: range).patch.map { Int32($0) }.saidOrCleared }
    }
}

extension Rule where Value == Progress? {
    /// A rule that allows null, or a share from 0 to 1.
    public static let share = Rule { decoder, name, _ in
        decoder.number(name, in: 0...1).patch.map { Progress($0) ?? .none }.saidOrCleared
    }
}

extension Rule where Value == Instant {
    /// A rule that requires a time.
    public static let instant = Rule { decoder, name, form in decoder.required(name, decoder.instant(name), form).said }
}

extension Rule where Value == Instant? {
    /// A rule that allows null, or a time.
    public static let moment = Rule { decoder, name, _ in decoder.instant(name).patch.saidOrCleared }
}

extension Rule where Value == ResourceID? {
    /// A rule that allows null, or the id of a resource.
    public static let id = Rule { decoder, name, _ in decoder.resourceID(name).patch.saidOrCleared }
}

extension Rule where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// A rule that requires one of the type's raw values.
    public static var choice: Rule {
        Rule { decoder, name, _ in (decoder.choice(name) as Patch<Value>).said }
    }
}

extension Rule {
    /// Returns a rule that allows null, or one of the type's raw values.
    public static func choiceOrNone<Word>() -> Rule
    where Value == Word?, Word: Storable & RawRepresentable & CaseIterable, Word.RawValue == String {
        Rule { decoder, name, _ in (decoder.choiceOrNone(name) as Patch<Word>).saidOrCleared }
    }
}

extension ObjectDecoder {
    /// Decodes null, or one of the type's raw values.
    mutating func choiceOrNone<Word>(_ name: StaticString) -> Patch<Word>
    where Word: RawRepresentable & CaseIterable & Sendable, Word.RawValue == String {
        if case .null = value(name) { .clear } else { choice(name) }
    }
}

extension Patch {
    /// The new value, or `nil` for a removal or no change.
    var said: Value? { if case .set(let value) = self { value } else { nil } }

    /// The new value, or `.some(nil)` for a removal; `nil` for no change.
    var saidOrCleared: Value?? {
        switch self {
        case .keep: nil
        case .clear: .some(nil)
        case .set(let value): .some(value)
        }
    }
}
