/// A text that is prepared once a connection: known by its identity. It must hold no value from outside: those are bound.
final class SQL: Sendable, Hashable {
    let text: String
    init(_ text: String) { self.text = text }

    static func == (left: SQL, right: SQL) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Texts that are composed, each once a connection, for a shape of request. They must hold no value from outside.
final class Variants<Shape: Hashable & Sendable>: Sendable {
    let text: @Sendable (Shape) -> String
    init(_ text: @escaping @Sendable (Shape) -> String) { self.text = text }
}

/// The statements of one connection that were prepared for some `Variants`, which it keeps: no others get their identity.
final class PreparedVariants<Shape: Hashable & Sendable> {
    private let texts: Variants<Shape>
    /// Scanned: there are few, and a dictionary's code would be specialised for each type of shape.
    private var statements: [(shape: Shape, statement: Statement)] = []

    init(_ texts: Variants<Shape>) { self.texts = texts }

    func statement(_ shape: Shape, in database: OpaquePointer) throws(SQLiteError) -> Statement {
        for known in statements where known.shape == shape { return known.statement }
        let new = try Statement(texts.text(shape), in: database)
        statements.append((shape, new))
        return new
    }
}
