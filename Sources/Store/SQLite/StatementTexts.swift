/// A text that each connection prepares once, known by its identity. It must contain no outside values: those are
/// bound.
final class SQLText: Sendable, Hashable {
    let text: String
    init(_ text: String) { self.text = text }

    static func == (left: SQLText, right: SQLText) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A literal of SQL, known by its address.
struct SQLLiteral: Hashable, Sendable {
    let text: StaticString
    init(_ text: StaticString) { self.text = text }

    static func == (left: SQLLiteral, right: SQLLiteral) -> Bool { left.text.utf8Start == right.text.utf8Start }
    func hash(into hasher: inout Hasher) { hasher.combine(text.utf8Start) }
}

/// Texts that are composed and prepared once per connection and shape of request. They must contain no outside values.
final class SQLVariants<Shape: Hashable & Sendable>: Sendable {
    let text: @Sendable (Shape) -> String
    init(_ text: @escaping @Sendable (Shape) -> String) { self.text = text }
}

/// The statements of one connection for some `SQLVariants`. It keeps the `SQLVariants` alive, so their identity is not
/// reused.
final class PreparedSQLVariants<Shape: Hashable & Sendable> {
    private let texts: SQLVariants<Shape>
    /// The prepared statements, each with its shape. They are searched linearly: there are few, and a dictionary would
    /// be specialized for each type of shape.
    private var statements: [(shape: Shape, statement: SQLiteStatement)] = []

    init(_ texts: SQLVariants<Shape>) { self.texts = texts }

    func statement(_ shape: Shape, in database: OpaquePointer) throws(SQLiteError) -> SQLiteStatement {
        for known in statements where known.shape == shape { return known.statement }
        let new = try SQLiteStatement(texts.text(shape), in: database)
        statements.append((shape, new))
        return new
    }
}
