/// A text that is prepared once a connection: known by its identity. It must hold no value from outside: those are bound.
final class SQL: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
}

/// Texts that are composed, each once a connection, for a shape of request. They must hold no value from outside.
final class Variants<Shape: Hashable & Sendable>: Sendable {
    let text: @Sendable (Shape) -> String
    init(_ text: @escaping @Sendable (Shape) -> String) { self.text = text }
}

/// The statements of one connection that were prepared for `Variants`.
final class PreparedVariants<Shape: Hashable & Sendable> {
    var statements: [Shape: Statement] = [:]
}
