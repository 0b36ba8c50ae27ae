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
    /// Where it speaks of; nil for the book as a whole, or for the position of what it is about.
    public let position: Position?
    /// Where it becomes visible; nil for its position, or, without one, for when the book is finished.
    public let threshold: Threshold.Word?
    /// See `Note.body`; empty where there is a quote.
    public let body: String
    /// What else it says of itself.
    public let words: MergePatch<Note>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        if body["replyTo"] != nil { _ = decoder.id("replyTo", isRequired: false) }
        book = decoder.id("book", isRequired: true) ?? ResourceID(high: 0, low: 0)
        club = decoder.id("club", isRequired: false)
        run = decoder.id("run", isRequired: false)
        audience = decoder.audience(in: club)
        about = decoder.id("about", isRequired: false)
        (position, threshold) = decoder.threshold(demandsPosition: about == nil)
        self.body = decoder.noteBody(of: body)
        words = MergePatch(&decoder, .whole)
        try decoder.demandValid()
    }
}

/// A new note as a request describes it: one that begins a thread, or a reply.
public enum NewNote: Sendable {
    case root(NoteDraft)
    case reply(to: ResourceID, ReplyDraft)

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        guard let answered = body["replyTo"], !answered.isNull else {
            self = .root(try NoteDraft(body))
            return
        }
        var decoder = ObjectDecoder(body)
        let id = decoder.id("replyTo", isRequired: true)
        self = .reply(to: id ?? ResourceID(high: 0, low: 0), try ReplyDraft(&decoder, of: body))
    }
}

/// What a request says of a reply.
public struct ReplyDraft: Sendable {
    /// Where it speaks of; nil for the position of the note that it answers.
    public let position: Position?
    /// Where it becomes visible, if later than the note that it answers.
    public let threshold: Threshold.Word?
    /// See `Note.body`; empty where there is a quote.
    public let body: String
    /// What else it says of itself.
    public let words: MergePatch<Note>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        try self.init(&decoder, of: body)
    }

    fileprivate init(_ decoder: inout ObjectDecoder, of body: JSONValue) throws(LecternError) {
        (position, threshold) = decoder.threshold(demandsPosition: false)
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
    /// How its threshold is to be raised; nil leaves it as it is.
    public let raise: Raise?
    /// In which club it is to be from now on.
    public let club: Patch<ResourceID>
    /// The run of the book in that club.
    public let run: ResourceID?
    /// For whom it is to be there, which may only be for more than it was.
    public let audience: Note.Audience?

    /// Where a note is to become visible, which is later than it was.
    public enum Raise: Sendable {
        case position(Position)
        case finished
    }

    /// Whether it only raises the threshold.
    public var isRaise: Bool { club.isKept && !isOfWords && raise != nil && audience == nil }

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        let text = decoder.string("body", length: 1...10_000, multiline: true)
        self.body = text == .null ? "" : text.value
        words = MergePatch(&decoder, .patch)
        raise = decoder.raise()
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

    fileprivate mutating func threshold(demandsPosition: Bool) -> (Position?, Threshold.Word?) {
        let position = required("position", self.position("position"), .patch).said
        let word: Threshold.Word? = (choice("threshold") as Patch<Threshold.Word>).said
        if demandsPosition, word == .position, position == nil { refuse("threshold", "needs a position") }
        return (position, word)
    }

    /// Decodes `opensAt` or `threshold` of a patch.
    fileprivate mutating func raise() -> NotePatch.Raise? {
        let position = required("opensAt", position("opensAt"), .patch).said
        let word: Threshold.Word? = (choice("threshold") as Patch<Threshold.Word>).said
        guard let word else { return position.map { .position($0) } }
        if position != nil, word != .position {
            refuse("threshold", "must be absent, or position, when opensAt is given")
        } else if position == nil, word != .finished {
            refuse("threshold", "must be finished: a threshold is only raised, to an opensAt or to the end of the book")
        }
        return position.map { .position($0) } ?? .finished
    }
}
