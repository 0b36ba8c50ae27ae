public import JSON

/// What a request may say of a field, as a whole body or a merge patch (RFC 7396).
public struct Rule<Value: Storable>: Sendable {
    /// What is said; nil when nothing is, or what is wrong, which has been noted.
    let decode: @Sendable (inout ObjectDecoder, StaticString, BodyForm) -> Value?

    public init(_ decode: @escaping @Sendable (inout ObjectDecoder, StaticString, BodyForm) -> Value?) {
        self.decode = decode
    }
}

/// A rule of a field of a certain resource.
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

/// What a request says of the fields of a resource that have rules.
public struct MergePatch<Owner: Resource>: Sendable {
    @usableFromInline
    var steps: [@Sendable (inout Owner) -> Void] = []

    // Inlinable, as encoding is.

    /// Decodes what a body says of them; what is wrong is noted.
    @inlinable
    public init(_ decoder: inout ObjectDecoder, _ form: BodyForm) {
        steps.reserveCapacity(Owner.fields.rules.count)
        for rule in Owner.fields.rules {
            if let step = rule.decode(&decoder, form) { steps.append(step) }
        }
    }

    /// Decodes a body that says nothing else; throws `LecternError.invalid` with all that is wrong with it.
    @inlinable
    public init(_ body: JSONValue, form: BodyForm) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        self.init(&decoder, form)
        try decoder.demandValid()
    }

    @inlinable
    public func apply(to resource: inout Owner) { for step in steps { step(&resource) } }

    /// The resource after this was said of it.
    @inlinable
    public func applied(to resource: Owner) -> Owner {
        var resource = resource
        apply(to: &resource)
        return resource
    }
}

extension ObjectDecoder {
    /// Throws `LecternError.invalid` with all that is wrong.
    public mutating func demandValid() throws(LecternError) {
        let violations = finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}

// MARK: - Rules

extension Rule where Value == String {
    /// A text that must be there, of so many characters.
    public static func text(_ length: ClosedRange<Int>) -> Rule {
        Rule { decoder, name, form in decoder.required(name, decoder.string(name, length: length), form).said }
    }
}

extension Rule where Value == String? {
    /// A text of so many characters, or none.
    public static func text(_ length: ClosedRange<Int>, multiline: Bool = false) -> Rule {
        Rule { decoder, name, _ in decoder.string(name, length: length, multiline: multiline).patch.saidOrCleared }
    }

    /// An http or https URL, or none.
    public static let url = Rule { decoder, name, _ in decoder.url(name).patch.saidOrCleared }
}

extension Rule where Value == Bool {
    /// Yes or no.
    public static let bool = Rule { decoder, name, _ in decoder.required(name, decoder.bool(name), .patch).said }
}

extension Rule where Value == Int32 {
    /// A whole number.
    public static func number(_ range: ClosedRange<Int64>) -> Rule {
        Rule { decoder, name, _ in
            decoder.required(name, decoder.integer(name, in: range), .patch).map { Int32($0) }.said
        }
    }
}

extension Rule where Value == Int32? {
    /// A whole number, or none.
    public static func number(_ range: ClosedRange<Int64>) -> Rule {
        Rule { decoder, name, _ in decoder.integer(name, in: range).patch.map { Int32($0) }.saidOrCleared }
    }
}

extension Rule where Value == Progress? {
    /// A share of a story, or none.
    public static let share = Rule { decoder, name, _ in
        decoder.number(name, in: 0...1).patch.map { Progress($0) ?? .none }.saidOrCleared
    }
}

extension Rule where Value == Instant {
    /// A time that must be there.
    public static let instant = Rule { decoder, name, form in decoder.required(name, decoder.instant(name), form).said }
}

extension Rule where Value == Instant? {
    /// A time, or none.
    public static let moment = Rule { decoder, name, _ in decoder.instant(name).patch.saidOrCleared }
}

extension Rule where Value == ResourceID? {
    /// Another resource, or none.
    public static let id = Rule { decoder, name, _ in decoder.resourceID(name).patch.saidOrCleared }
}

extension Rule where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words.
    public static var choice: Rule {
        Rule { decoder, name, _ in (decoder.choice(name) as Patch<Value>).said }
    }
}

extension Rule {
    /// One of the words, or none.
    public static func choiceOrNone<Word>() -> Rule
    where Value == Word?, Word: Storable & RawRepresentable & CaseIterable, Word.RawValue == String {
        Rule { decoder, name, _ in (decoder.choiceOrNone(name) as Patch<Word>).saidOrCleared }
    }
}

extension ObjectDecoder {
    /// One of the words, or none.
    mutating func choiceOrNone<Word>(_ name: StaticString) -> Patch<Word>
    where Word: RawRepresentable & CaseIterable & Sendable, Word.RawValue == String {
        if case .null = value(name) { .clear } else { choice(name) }
    }
}

extension Patch {
    /// What is set; nil otherwise.
    var said: Value? { if case .set(let value) = self { value } else { nil } }

    /// What is set, which may be nothing; nil when nothing is said.
    var saidOrCleared: Value?? {
        switch self {
        case .keep: nil
        case .clear: .some(nil)
        case .set(let value): .some(value)
        }
    }
}
