/// The treatment of a reader's notes when the reader leaves a club. The raw values are sent.
public enum Bequest: String, Sendable, CaseIterable {
    /// The notes stay, under the author's name in the club.
    case keep
    /// The notes stay, without a named author.
    case nameless
    case delete
}
