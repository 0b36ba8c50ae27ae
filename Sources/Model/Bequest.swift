/// What becomes of the notes of who goes from a club. The raw values are sent.
public enum Bequest: String, Sendable, CaseIterable {
    /// They stay under the name that their author had there.
    case keep
    /// They stay, and nobody is named as their author.
    case nameless
    case delete
}
