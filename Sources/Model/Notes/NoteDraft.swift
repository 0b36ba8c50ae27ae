public import JSON

/// The body of a request that creates a note.
public enum NoteDraft: Sendable {
    /// The first note of a thread.
    case root(ThreadRootDraft)
    case reply(to: ResourceID, ReplyDraft)
    case ofEntry(ResourceID, EntryNoteDraft)

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    public init(_ body: JSONValue) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        let names = { (member: String) in body[member].map { !$0.isNull } ?? false }
        let answered = decoder.id("replyTo")
        if names("replyTo") {
            self = .reply(to: answered ?? .zero, ReplyDraft(&decoder, of: body))
        } else {
            let entry = decoder.id("entry")
            self =
                names("entry")
                ? .ofEntry(entry ?? .zero, EntryNoteDraft(body, &decoder, ofText: true))
                : .root(ThreadRootDraft(&decoder, of: body))
        }
        try decoder.demandValid()
    }
}

/// The body of a request that creates the first note of a thread.
public struct ThreadRootDraft: Sendable {
    /// The book.
    public let book: ResourceID
    /// The club, or `nil` for a private note.
    public let club: ResourceID?
    /// The run of the book in the club.
    public let run: ResourceID?
    /// The audience in the club, or `nil` for all members.
    public let audience: Note.Audience?
    /// The meeting or the milestone of the club to discuss.
    public let about: ResourceID?
    /// The position; `nil` for the book as a whole, or for the position of the meeting or milestone in `about`.
    public let position: Position?
    /// The threshold; `nil` for the note's position or, without one, for the end of the book.
    public let threshold: SpoilerThresholdKind?
    /// The text: see `Note.body`. Empty if there is a quotation.
    public let body: String
    /// The note's other fields.
    public let words: MergePatch<Note>

    fileprivate init(_ decoder: inout ObjectDecoder, of body: JSONValue) {
        book = decoder.requiredID("book")
        club = decoder.id("club")
        run = decoder.id("run")
        audience = decoder.audience(in: club)
        about = decoder.id("about")
        (position, threshold) = decoder.threshold(demandsPosition: about == nil)
        self.body = decoder.noteBody(of: body)
        words = MergePatch(&decoder, .whole)
    }
}

/// The body of a request that creates a reply.
public struct ReplyDraft: Sendable {
    /// The position, or `nil` for that of the answered note.
    public let position: Position?
    /// The threshold, if it is later than that of the answered note.
    public let threshold: SpoilerThresholdKind?
    /// The text: see `Note.body`. Empty if there is a quotation.
    public let body: String
    /// The note's other fields.
    public let words: MergePatch<Note>

    fileprivate init(_ decoder: inout ObjectDecoder, of body: JSONValue) {
        (position, threshold) = decoder.threshold(demandsPosition: false)
        self.body = decoder.noteBody(of: body)
        words = MergePatch(&decoder, .whole)
    }
}

/// The body of a request that changes a note.
public struct NotePatch: Sendable {
    /// The new text: see `Note.body`. `nil` leaves it as it is, and an empty one leaves only the quotation.
    public let body: String?
    /// The note's other fields.
    public let words: MergePatch<Note>
    /// The new threshold; `nil` leaves it as it is.
    public let raise: RaisedSpoilerThreshold?
    /// The club in which to share the note.
    public let club: MergePatchMember<ResourceID>
    /// The run of the book in that club.
    public let run: ResourceID?
    /// The new audience, which may only be wider than before.
    public let audience: Note.Audience?

    /// A Boolean value indicating whether the patch only raises the threshold.
    public var isRaise: Bool { club.isKept && !changesText && raise != nil && audience == nil }

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    public init(_ body: JSONValue) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        let text = decoder.string("body", length: 1...10_000, multiline: true)
        self.body = text == .null ? "" : text.value
        words = MergePatch(&decoder, .patch)
        raise = decoder.raise()
        club = decoder.resourceID("club").patch
        run = decoder.id("run")
        audience = decoder.choice("audience")
        try decoder.demandValid()
    }

    /// A Boolean value indicating whether the patch changes the note's text or its other fields.
    public var changesText: Bool { body != nil || !words.isEmpty }
}

/// A later threshold for a note.
public enum RaisedSpoilerThreshold: Sendable {
    case position(Position)
    case finished
}

extension ObjectDecoder {
    /// Decodes the audience of a new note in a club. Without a club, only the author is allowed.
    mutating func audience(in club: ResourceID?) -> Note.Audience? {
        let audience: Note.Audience? = choice("audience")
        switch audience {
        case .me where club != nil: refuse("audience", "must be moderators or club for a note with a club")
        case .moderators where club == nil, .club where club == nil: missing("club")
        default: break
        }
        return audience
    }

    /// Decodes a note's text, which may be absent if there is a quotation.
    mutating func noteBody(of given: JSONValue, mayLack: Bool = false) -> String {
        let decoded = string("body", length: 1...10_000, multiline: true)
        let isCiting = given["quote"].map { !$0.isNull } ?? false
        if decoded.isNull, !mayLack, !isCiting {
            refuse("body", "is required without a quote")
            return ""
        }
        return (mayLack || isCiting ? decoded.value : required("body", decoded, .whole)) ?? ""
    }

    fileprivate mutating func threshold(demandsPosition: Bool) -> (Position?, SpoilerThresholdKind?) {
        let position = required("position", self.position("position"), .patch)
        let word: SpoilerThresholdKind? = choice("threshold")
        if demandsPosition, word == .position, position == nil { refuse("threshold", "needs a position") }
        return (position, word)
    }

    /// Decodes `opensAt` or `threshold` of a patch.
    fileprivate mutating func raise() -> RaisedSpoilerThreshold? {
        let position = required("opensAt", position("opensAt"), .patch)
        let word: SpoilerThresholdKind? = choice("threshold")
        guard let word else { return position.map { .position($0) } }
        if position != nil, word != .position {
            refuse("threshold", "must be absent, or position, when opensAt is given")
        } else if position == nil, word != .finished {
            refuse("threshold", "must be finished: a threshold can only rise, to an opensAt or to the end of the book")
        }
        return position.map { .position($0) } ?? .finished
    }
}
