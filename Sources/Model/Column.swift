/// Where a value of a resource is kept.
public struct Column<Owner>: Sendable {
    /// How it is written.
    public enum Use: Sendable {
        /// When the row is made, and when it changes.
        case changing
        /// When the row is made.
        case fixed
        /// Never: it is another row's, or follows from others.
        case joined
    }

    /// Its name; of a joined one, an expression.
    public let name: String
    public let use: Use
    /// Whether a row is made of it; otherwise it is only kept.
    public let isRead: Bool
    public let cell: @Sendable (Owner) -> Cell
    /// False when the cell holds no such value: then it is left as it is.
    public let put: @Sendable (inout Owner, Cell) -> Bool

    public init<Value: Storable>(
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
    /// `coverURL` as `cover_url`: what a column is called whose field has that name.
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
