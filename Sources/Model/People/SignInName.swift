/// The name with which a reader signs in. Unlike the display name, it belongs to one reader alone, in whatever form it
/// is typed.
public struct SignInName: Sendable {
    /// The chosen name, in the composed form.
    public let text: String
    /// The form for comparisons: names that differ in case, width or normal form only have the same bytes. It is
    /// stored, so it must never change.
    public let folded: String

    /// Creates a name of 1 to 64 visible characters, with single spaces inside at most. Returns `nil` for anything
    /// else.
    public init?(_ given: String) {
        guard given.utf8.count <= Self.bytesMax else { return nil }
        text = UnicodeComposition.canonical(given)
        // Lower case alone would distinguish ς from σ, and ß from ss, though they have the same upper case.
        let upper = UnicodeComposition.compatible(given).lowercased().uppercased()
        folded = UnicodeComposition.compatible(upper.lowercased())
        let scalars = folded.unicodeScalars
        guard (1...Self.scalarsMax).contains(scalars.count), text.unicodeScalars.allSatisfy(Self.isVisible),
            scalars.allSatisfy(Self.isVisible), scalars.first != " ", scalars.last != " "
        else { return nil }
        guard !folded.contains("  ") else { return nil }
    }

    static let scalarsMax = 64
    private static let bytesMax = 400
    /// The rule for names, as the text of a violation.
    public static let rule = "must be 1 to 64 visible characters, with single spaces between words"

    /// Returns whether a scalar is visible. Unassigned ones are not, because a later edition of Unicode might fold them
    /// otherwise.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .privateUse, .unassigned: false
        default: scalar == " " || scalar.isVisible
        }
    }
}
