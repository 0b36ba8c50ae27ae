/// A database column that stores a value of a resource.
public struct DatabaseColumn<Owner>: Sendable {
    /// The time at which a column is written.
    public enum Use: Sendable {
        /// On insert and on update.
        case changing
        /// On insert only.
        case fixed
        /// Never: the value comes from another row or is computed.
        case joined
    }

    /// The name, or an expression for a joined column.
    public let name: String
    public let use: Use
    /// A Boolean value indicating whether the column is read when a resource is made of a row.
    public let isRead: Bool
    public let cell: @Sendable (Owner) -> DatabaseValue
    /// A closure that sets the value from a cell. It returns `false`, and changes nothing, if the cell does not hold
    /// such a value.
    public let put: @Sendable (inout Owner, DatabaseValue) -> Bool

    public init<Value: StorableValue>(
        _ name: String, _ use: Use, isRead: Bool = true, _ get: @escaping @Sendable (Owner) -> Value,
        _ set: @escaping @Sendable (inout Owner, Value) -> Void
    ) {
        self.name = name
        self.use = use
        self.isRead = isRead
        cell = { get($0).cell }
        put = { owner, cell in
            guard let value = Value(cell: cell) else { return false }
            set(&owner, value)
            return true
        }
    }
}

extension StaticString {
    /// The name of a field's column: `coverURL` gives `cover_url`.
    var snakeCased: String {
        var words = ""
        var wasCapital = true
        for character in description {
            if character.isUppercase, !wasCapital { words.append("_") }
            wasCapital = character.isUppercase
            words += character.lowercased()
        }
        return words
    }
}
