import JSON

/// A field of a resource: its name in JSON, its columns, its accessors, and the rule for requests.
///
/// The accessors are closures, because key paths cost ten times as much (55 ns a field).
public struct ResourceField<Owner>: Sendable {
    /// The name in JSON, or `nil` for a stored field that is never sent.
    public let name: StaticString?
    public let columns: [DatabaseColumn<Owner>]
    /// The rule for a merge patch, or `nil` if requests cannot set the field or their command decodes it.
    let rule: ResourceFieldRule<Owner>?
    let write: @Sendable (Owner, inout JSONWriter) -> Void
    /// A closure that sets the value from JSON. It returns `false` if the JSON does not hold such a value.
    let parse: @Sendable (inout Owner, JSONValue) -> Bool
    /// A Boolean value indicating whether the field holds text, whose length is limited.
    let isText: Bool
    /// A closure that returns whether a representation leaves the field out; `nil` if it never does.
    let isLeftOut: (@Sendable (Owner) -> Bool)?
    /// The minimum number of characters in a record of an export.
    let lengthMin: Int
    /// A Boolean value indicating whether a record of an export must contain the field.
    private(set) var isNeeded = false

    init<Value: StorableValue>(
        _ name: StaticString?, _ columns: [DatabaseColumn<Owner>], rule: FieldRule<Value>? = nil,
        _ get: @escaping @Sendable (Owner) -> Value, _ set: @escaping @Sendable (inout Owner, Value) -> Void,
        isLeftOut: (@Sendable (Owner) -> Bool)? = nil, lengthMin: Int = 1
    ) {
        self.name = name
        self.lengthMin = lengthMin
        self.isLeftOut = isLeftOut
        self.columns = columns
        self.rule = name.flatMap { name in rule.map { ResourceFieldRule(name, $0, set) } }
        isText = Value.self == String.self || Value.self == String?.self
        write = { get($0).write(to: &$1) }
        parse = { owner, json in
            guard let value = Value(json: json) else { return false }
            set(&owner, value)
            return true
        }
    }

    /// Returns the field as one that a record of an export must contain.
    func required() -> ResourceField {
        var field = self
        field.isNeeded = true
        return field
    }

    /// Creates a field that can change. Its column has the same name in snake case.
    public init<Value: StorableValue>(
        _ name: StaticString, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) {
        self.init(name, [DatabaseColumn(name.snakeCased, .changing, get, set)], get, set)
    }

    /// Creates a field that requests may change by a rule.
    public init<Value: StorableValue>(
        _ name: StaticString, _ rule: FieldRule<Value>, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) {
        self.init(name, [DatabaseColumn(name.snakeCased, .changing, get, set)], rule: rule, get, set)
    }

    /// Returns a field that never changes, so no event names it.
    public static func fixed<Value: StorableValue>(
        _ name: StaticString, column: String? = nil, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) -> ResourceField {
        ResourceField(name, [DatabaseColumn(column ?? name.snakeCased, .fixed, get, set)], get, set)
    }

    /// Returns a field that is read from another row, or computed from stored columns.
    public static func joined<Value: StorableValue>(
        _ name: StaticString, from expression: String, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) -> ResourceField {
        ResourceField(name, [DatabaseColumn(expression, .joined, get, set)], get, set)
    }

    /// Returns a field that is computed from others.
    public static func computed<Value: StorableValue>(
        _ name: StaticString, _ get: @escaping @Sendable (Owner) -> Value
    ) -> ResourceField {
        ResourceField(name, [], get) { _, _ in }
    }

    /// Returns a field that representations leave out where it is `nil`. A field that older rows lack is of this kind.
    /// Such fields come last.
    public static func sparse<Value: StorableValue>(
        _ name: StaticString, isFixed: Bool = false, rule: FieldRule<Value?>? = nil,
        _ get: @escaping @Sendable (Owner) -> Value?, _ set: @escaping @Sendable (inout Owner, Value?) -> Void
    ) -> ResourceField {
        let column = DatabaseColumn(name.snakeCased, isFixed ? .fixed : .changing, get, set)
        return ResourceField(name, [column], rule: rule, get, set) { get($0) == nil }
    }

    /// Returns a sparse field with several columns that change together.
    public static func sparse<Value: StorableValue>(
        _ name: StaticString, columns: [DatabaseColumn<Owner>], _ get: @escaping @Sendable (Owner) -> Value?,
        _ set: @escaping @Sendable (inout Owner, Value?) -> Void
    ) -> ResourceField {
        ResourceField(name, columns, get, set) { get($0) == nil }
    }

    /// Returns a sparse field that is computed from others.
    public static func sparse<Value: StorableValue>(
        computed name: StaticString, _ get: @escaping @Sendable (Owner) -> Value?
    ) -> ResourceField {
        ResourceField(name, [], get, { _, _ in }, isLeftOut: { get($0) == nil })
    }

    /// Returns a column that is stored and never sent.
    public static func unsent<Value: StorableValue>(
        _ column: String, _ use: DatabaseColumn<Owner>.Use, isRead: Bool = true,
        _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) -> ResourceField {
        ResourceField(nil, [DatabaseColumn(column, use, isRead: isRead, get, set)], get, set)
    }

    /// Returns columns that are stored and never sent.
    static func unsent(_ columns: [DatabaseColumn<Owner>]) -> ResourceField {
        ResourceField(nil, columns, { _ in false }) { _, _ in }
    }

    /// Returns a reference to another resource: its id is sent, and the key of its row is stored.
    ///
    /// - Parameters:
    ///   - expression: The SQL of the id. By default that of the table whose name is the field's in the plural.
    ///   - column: The column of the key. By default it has the field's name.
    public static func link<ID: StorableValue, Key: StorableValue>(
        _ name: StaticString, from expression: String? = nil, column: String? = nil,
        _ get: @escaping @Sendable (Owner) -> ID, _ set: @escaping @Sendable (inout Owner, ID) -> Void,
        key getKey: @escaping @Sendable (Owner) -> Key, _ setKey: @escaping @Sendable (inout Owner, Key) -> Void,
        changes: Bool = false
    ) -> ResourceField {
        let id = DatabaseColumn(expression ?? "\(name)s.id", .joined, get, set)
        let key = DatabaseColumn(column ?? "\(name)", changes ? .changing : .fixed, getKey, setKey)
        return ResourceField(name, [id, key], get, set)
    }
}
