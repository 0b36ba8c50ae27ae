/// The treatment of a reader's notes when the reader leaves a club. The raw values are sent.
public enum NotesOnLeaving: String, Sendable, CaseIterable {
    /// Keep the notes, under the author's name in the club.
    case keep
    /// Keep the notes, without a named author.
    case nameless
    case delete
}
