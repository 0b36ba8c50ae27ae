import Synchronization

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

/// Texts that are composed once for each shape of request. They must contain no outside values.
final class SQLVariants<Shape: Hashable & Sendable>: Sendable {
    private let compose: @Sendable (Shape) -> String
    /// The composed texts, each with its shape. They are searched linearly: there are few, and a dictionary would be
    /// specialized for each type of shape.
    private let known = Mutex<[(shape: Shape, text: SQLText)]>([])

    init(_ compose: @escaping @Sendable (Shape) -> String) { self.compose = compose }

    func text(_ shape: Shape) -> SQLText {
        known.withLock { known in
            for variant in known where variant.shape == shape { return variant.text }
            let text = SQLText(compose(shape))
            known.append((shape, text))
            return text
        }
    }
}
