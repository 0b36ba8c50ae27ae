public import JSON

/// What a request says of a note that is made with an entry, or of its text: it is where the entry is. A class, as hardly any
/// entry has one.
public final class EntryNoteDraft: Sendable {
    /// For which club; nil for a private note.
    public let club: ResourceID?
    /// The run of the entry's book in that club.
    public let run: ResourceID?
    /// For whom in it; nil for all.
    public let audience: Note.Audience?
    /// Where it becomes visible; nil for where the entry is.
    public let threshold: Threshold.Word?
    /// See `Note.body`; empty where there is a quote, or the entry's own text is meant.
    public let body: String
    /// What else it says of itself.
    public let words: MergePatch<Note>

    fileprivate init(_ said: JSONValue, _ decoder: inout ObjectDecoder, ofText: Bool) {
        club = decoder.id("club", isRequired: false)
        run = decoder.id("run", isRequired: false)
        audience = decoder.audience(in: club)
        threshold = (decoder.choice("threshold") as Patch<Threshold.Word>).said
        body = decoder.noteBody(of: said, mayLack: ofText)
        words = MergePatch(&decoder, .whole)
    }

    /// Of a new entry's note: decodes a member of its body.
    convenience init(_ said: JSONValue, _ decoder: inout ObjectDecoder) {
        self.init(said, &decoder, ofText: false)
    }

    /// Of one that an entry gets which is there: decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public convenience init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        self.init(body, &decoder, ofText: true)
        try decoder.demandValid()
    }
}
