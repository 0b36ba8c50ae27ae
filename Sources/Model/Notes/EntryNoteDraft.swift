import JSON

/// The note that a request creates with an entry, or from an entry's text. It has the entry's position. A class,
/// because hardly any entry has one.
public final class EntryNoteDraft: Sendable {
    /// The club, or `nil` for a private note.
    public let club: ResourceID?
    /// The run of the entry's book in that club.
    public let run: ResourceID?
    /// The audience in the club, or `nil` for all members.
    public let audience: Note.Audience?
    /// The threshold, or `nil` for the entry's position.
    public let threshold: SpoilerThresholdKind?
    /// The text: see `Note.body`. Empty if there is a quotation, or if the note takes the entry's text.
    public let body: String
    /// The note's other fields.
    public let words: MergePatch<Note>

    /// Decodes the note. With `ofText` it may have no body, and takes the entry's text.
    init(_ given: JSONValue, _ decoder: inout ObjectDecoder, ofText: Bool) {
        club = decoder.id("club")
        run = decoder.id("run")
        audience = decoder.audience(in: club)
        threshold = decoder.choice("threshold")
        body = decoder.noteBody(of: given, mayLack: ofText)
        words = MergePatch(&decoder, .whole)
    }
}
