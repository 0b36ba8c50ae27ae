import JSON

/// A field of a resource, said once: its name in JSON, where it is kept, the ways in and out, and what a request may say of it.
///
/// The ways are closures, not key paths, which cost ten times as much (55 ns a field).
public struct Field<Owner>: Sendable {
    /// Nil for what is kept and never sent.
    public let name: StaticString?
    public let columns: [Column<Owner>]
    /// What a request may say of it; nil when it says nothing, or what its command understands.
    let rule: MergeRule<Owner>?
    let write: @Sendable (Owner, inout JSONWriter) -> Void
    /// Takes over what a representation says; false when it says no such thing.
    let parse: @Sendable (inout Owner, JSONValue) -> Bool
    /// Whether it holds text, of which there may be more or less.
    let isText: Bool
    /// Whether it is left out of what is sent; nil of what never is.
    let isLeftOut: (@Sendable (Owner) -> Bool)?
    /// Characters of it that an export has at least.
    private(set) var lengthMin = 1
    /// Whether a line of an export must say it.
    private(set) var isNeeded = false

    private init<Value: Storable>(
        _ name: StaticString?, _ columns: [Column<Owner>], _ rule: Rule<Value>?,
        _ get: @escaping @Sendable (Owner) -> Value, _ set: @escaping @Sendable (inout Owner, Value) -> Void,
        isLeftOut: (@Sendable (Owner) -> Bool)? = nil
    ) {
        self.name = name
        self.isLeftOut = isLeftOut
        self.columns = columns
        self.rule = name.flatMap { name in rule.map { MergeRule(name, $0, set) } }
        isText = Value.self == String.self || Value.self == String?.self
        write = { get($0).write(to: &$1) }
        parse = { owner, json in
            guard let value = Value(json: json) else { return false }
            set(&owner, value)
            return true
        }
    }

    /// Returns the field as one that an export's line must have.
    func needed() -> Field {
        var field = self
        field.isNeeded = true
        return field
    }

    /// The same field, whose text may be empty in an export.
    func orEmpty() -> Field {
        var field = self
        field.lengthMin = 0
        return field
    }

    /// A field that is kept in one column, and read from others.
    init<Value: Storable>(
        _ name: StaticString, _ columns: [Column<Owner>], _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) {
        self.init(name, columns, nil, get, set)
    }

    /// A field that can change; its column has the same name in snake case unless another is given.
    public init<Value: Storable>(
        _ name: StaticString, column: String? = nil, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) {
        self.init(name, [Column(column ?? name.snakeCased, .changing, get, set)], nil, get, set)
    }

    /// A field that requests may change, by a rule.
    public init<Value: Storable>(
        _ name: StaticString, _ rule: Rule<Value>, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) {
        self.init(name, [Column(name.snakeCased, .changing, get, set)], rule, get, set)
    }

    /// A field that never changes: no event names it.
    public static func fixed<Value: Storable>(
        _ name: StaticString, column: String? = nil, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) -> Field {
        Field(name, [Column(column ?? name.snakeCased, .fixed, get, set)], nil, get, set)
    }

    /// A field that is read from another row, or follows from what its own keeps.
    public static func joined<Value: Storable>(
        _ name: StaticString, from expression: String, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) -> Field {
        Field(name, [Column(expression, .joined, get, set)], nil, get, set)
    }

    /// A field that follows from others.
    public static func computed<Value: Storable>(
        _ name: StaticString, _ get: @escaping @Sendable (Owner) -> Value
    ) -> Field {
        Field(name, [], nil, get) { _, _ in }
    }

    /// A field that is left out where it is nil, as one is that older rows have nothing of. Such fields come last.
    public static func sparse<Value: Storable>(
        _ name: StaticString, column: String? = nil, isFixed: Bool = false, rule: Rule<Value?>? = nil,
        _ get: @escaping @Sendable (Owner) -> Value?, _ set: @escaping @Sendable (inout Owner, Value?) -> Void
    ) -> Field {
        let column = Column(column ?? name.snakeCased, isFixed ? .fixed : .changing, get, set)
        return Field(name, [column], rule, get, set) { get($0) == nil }
    }

    /// The same of one with which several columns change.
    public static func sparse<Value: Storable>(
        _ name: StaticString, columns: [Column<Owner>], _ get: @escaping @Sendable (Owner) -> Value?,
        _ set: @escaping @Sendable (inout Owner, Value?) -> Void
    ) -> Field {
        Field(name, columns, nil, get, set) { get($0) == nil }
    }

    /// The same of one that follows from others.
    public static func sparse<Value: Storable>(
        computed name: StaticString, _ get: @escaping @Sendable (Owner) -> Value?
    ) -> Field {
        Field(name, [], nil, get, { _, _ in }, isLeftOut: { get($0) == nil })
    }

    /// What is kept and never sent.
    public static func kept<Value: Storable>(
        _ column: String, _ use: Column<Owner>.Use, isRead: Bool = true, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) -> Field {
        Field(nil, [Column(column, use, isRead: isRead, get, set)], nil, get, set)
    }

    /// Columns that are kept and never sent.
    static func kept(_ columns: [Column<Owner>]) -> Field {
        Field(nil, columns, nil as Rule<Bool>?, { _ in false }) { _, _ in }
    }

    /// Another resource, by its id, which is sent, and by the key of its row, which is kept.
    public static func link<ID: Storable, Key: Storable>(
        _ name: StaticString, from expression: String, _ get: @escaping @Sendable (Owner) -> ID,
        _ set: @escaping @Sendable (inout Owner, ID) -> Void, key column: String,
        _ getKey: @escaping @Sendable (Owner) -> Key,
        _ setKey: @escaping @Sendable (inout Owner, Key) -> Void, changes: Bool = false
    ) -> Field {
        let key = Column(column, changes ? .changing : .fixed, getKey, setKey)
        return Field(name, [Column(expression, .joined, get, set), key], nil, get, set)
    }
}
