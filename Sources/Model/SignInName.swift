/// What a reader types to sign in. Unlike what the reader is called it is one reader's alone, whatever the form in which it is typed.
public struct SignInName: Sendable {
    /// As it was chosen, in the composed form.
    public let text: String
    /// As it is looked for: of names that differ in case, width or normal form only, these are the same bytes. They are kept, so this
    /// never becomes another.
    public let folded: String

    /// 1 to 64 characters, without any that nobody sees, and with single spaces inside at most; nil for anything else.
    public init?(_ said: String) {
        guard said.utf8.count <= Self.bytesMax else { return nil }
        text = Composition.canonical(said)
        folded = Composition.compatible(Composition.compatible(said).lowercased())
        let scalars = folded.unicodeScalars
        guard (1...Self.scalarsMax).contains(scalars.count), text.unicodeScalars.allSatisfy(Self.isSeen),
            scalars.allSatisfy(Self.isSeen), scalars.first != " ", scalars.last != " "
        else { return nil }
        guard !folded.contains("  ") else { return nil }
    }

    static let scalarsMax = 64
    private static let bytesMax = 400
    /// What is refused otherwise.
    public static let rule = "must be 1 to 64 characters that can be seen, with single spaces inside at most"

    /// What is not known yet might be folded otherwise by a later edition of Unicode.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: scalar == " "
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
