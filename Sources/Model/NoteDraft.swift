public import JSON

/// What a request says of a new note.
public struct NoteDraft: Sendable {
    /// On which book.
    public let book: ResourceID
    /// For which club; nil for a private note.
    public let club: ResourceID?
    /// A run of the book in the club.
    public let run: ResourceID?
    /// For whom in it; nil for all.
    public let audience: Note.Audience?
    /// A meeting or a milestone of the club.
    public let about: ResourceID?
    /// Where in the book; nil for the book as a whole, or for where that is what it is about.
    public let position: PositionDraft?
    /// Where it opens; nil for its position, or, without one, for when the book is finished.
    public let opens: Opening.Way?
    /// See `Note.body`; empty where there is a quote.
    public let body: String
    /// What else it says of itself.
    public let words: MergePatch<Note>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        book = decoder.id("book", isRequired: true) ?? ResourceID(high: 0, low: 0)
        club = decoder.id("club", isRequired: false)
        run = decoder.id("run", isRequired: false)
        audience = decoder.audience(in: club)
        about = decoder.id("about", isRequired: false)
        (position, opens) = decoder.opening(demandsPosition: about == nil)
        self.body = decoder.noteBody(of: body)
        words = MergePatch(&decoder, .whole)
        try decoder.demandValid()
    }
}

/// What a request says of a reply.
public struct ReplyDraft: Sendable {
    /// Where in the book, where that is elsewhere than what it answers; nil for there.
    public let position: PositionDraft?
    /// Where it opens, if that is later than what it answers.
    public let opens: Opening.Way?
    /// See `Note.body`; empty where there is a quote.
    public let body: String
    /// What else it says of itself.
    public let words: MergePatch<Note>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        (position, opens) = decoder.opening(demandsPosition: false)
        self.body = decoder.noteBody(of: body)
        words = MergePatch(&decoder, .whole)
        try decoder.demandValid()
    }
}

/// What a request says of a note that is there.
public struct NotePatch: Sendable {
    /// See `Note.body`; nil leaves it as it is, and empty leaves what it cites.
    public let body: String?
    /// What else it says of itself from now on.
    public let words: MergePatch<Note>
    /// Where it is to open, which may only be later than it did; nil leaves it as it is.
    public let opensAt: Progress?
    /// In which club it is to be from now on.
    public let club: Patch<ResourceID>
    /// The run of the book in that club.
    public let run: ResourceID?
    /// For whom it is to be there, which may only be for more than it was.
    public let audience: Note.Audience?

    /// Whether it only lets the note open later.
    public var isRaise: Bool {
        if case .keep = club { !isOfWords && opensAt != nil && audience == nil } else { false }
    }

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        let text = decoder.string("body", length: 1...10_000, multiline: true)
        self.body = text == .null ? "" : text.value
        words = MergePatch(&decoder, .patch)
        opensAt = decoder.raise()
        club = decoder.resourceID("club").patch
        run = decoder.id("run", isRequired: false)
        audience = (decoder.choice("audience") as Patch<Note.Audience>).said
        try decoder.demandValid()
    }

    /// Whether it says anything of what the note says.
    public var isOfWords: Bool { body != nil || !words.isEmpty }
}

extension ObjectDecoder {
    /// For whom a new note is in a club; only there it is for others.
    mutating func audience(in club: ResourceID?) -> Note.Audience? {
        let audience = (choice("audience") as Patch<Note.Audience>).said
        switch audience {
        case .me where club != nil: refuse("audience", "must be moderators or club of a note with a club")
        case .moderators where club == nil, .club where club == nil: missing("club")
        default: break
        }
        return audience
    }

    /// A note's own words, which may be lacking where it cites some.
    mutating func noteBody(of said: JSONValue, mayLack: Bool = false) -> String {
        let decoded = string("body", length: 1...10_000, multiline: true)
        let isCiting = said["quote"].map { !$0.isNull } ?? false
        var text = ""
        if decoded.isNull, !mayLack, !isCiting {
            refuse("body", "is required where there is no quote")
        } else {
            (mayLack || isCiting ? decoded.patch : required("body", decoded, .whole)).apply(to: &text)
        }
        return text
    }

    fileprivate mutating func opening(demandsPosition: Bool) -> (PositionDraft?, Opening.Way?) {
        var position: PositionDraft?
        self.position(.whole, isRequired: false, takesPlace: true).apply(to: &position)
        let way: Opening.Way? = (choice("opens") as Patch<Opening.Way>).said
        if demandsPosition, way == .position, position == nil {
            refuse("opens", "needs a position: say progress, page or at")
        }
        return (position, way)
    }

    /// Where a note is to open from now on.
    fileprivate mutating func raise() -> Progress? {
        let share = required("opensAt", number("opensAt", in: 0...1), .patch).said.flatMap { Progress($0) }
        let way: Opening.Way? = (choice("opens") as Patch<Opening.Way>).said
        guard let way else { return share }
        if share != nil {
            refuse("opens", "must be absent when opensAt is given")
        } else if way != .finished {
            refuse(
                "opens", "must be finished: a note that is there can only be made to open later, at an opensAt or then")
        }
        return share ?? .whole
    }
}
