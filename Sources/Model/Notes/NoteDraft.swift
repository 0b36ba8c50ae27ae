public import JSON

/// The body of a request that creates a note, or the note of a request that creates an entry. A class, because hardly any
/// entry has one.
public final class NoteDraft: RequestBody {
    /// The resource to which a new note belongs.
    public enum Subject: Sendable {
        /// A book, for the first note of a thread.
        case book(ResourceID)
        /// A note, for a reply to it.
        case note(ResourceID)
        /// An entry, whose position the note has; `nil` for the entry that the same request creates.
        case entry(ResourceID?)
    }

    public let subject: Subject
    /// The club, or `nil` for a private note. A reply has the club, the run and the audience of the answered note.
    public let club: ResourceID?
    /// The run of the book in the club.
    public let run: ResourceID?
    /// The audience in the club, or `nil` for all members.
    public let audience: Note.Audience?
    /// The meeting or the milestone of the club to discuss.
    public let about: ResourceID?
    /// The position; `nil` for the book as a whole, or for the position of `about`, of the answered note, or of the
    /// entry.
    public let position: Position?
    /// The threshold; `nil` for the note's position or, without one, for the end of the book. Of a reply only one that
    /// is later than that of the answered note counts.
    public let threshold: SpoilerThresholdKind?
    /// The text: see `Note.body`. Empty if there is a quotation, or if the note takes the entry's text.
    public let body: String
    /// The note's other fields.
    public let words: MergePatch<Note>

    public convenience init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        let subject: Subject
        let answered = decoder.id("replyTo")
        if decoder.has("replyTo") {
            subject = .note(answered ?? .zero)
            decoder.refuse("book", "entry", "club", "run", "audience", "about", with: "replyTo")
        } else {
            let entry = decoder.id("entry")
            subject = decoder.has("entry") ? .entry(entry ?? .zero) : .book(decoder.requiredID("book"))
            if decoder.has("entry") { decoder.refuse("book", "about", "position", with: "entry") }
        }
        self.init(&decoder, on: subject)
    }

    /// Decodes a note. That of an existing entry may have no body, and takes the entry's text.
    init(_ decoder: inout ObjectDecoder, on subject: Subject) {
        self.subject = subject
        let isReply = if case .note = subject { true } else { false }
        let isOfEntry = if case .entry = subject { true } else { false }
        let isOfBook = !isReply && !isOfEntry
        club = isReply ? nil : decoder.id("club")
        run = isReply ? nil : decoder.id("run")
        audience = isReply ? nil : decoder.audience(in: club)
        about = isOfBook ? decoder.id("about") : nil
        position = isOfEntry ? nil : decoder.required("position", decoder.position("position"), .patch)
        threshold = decoder.choice("threshold")
        if isOfBook, about == nil, position == nil, threshold == .position {
            decoder.refuse("threshold", "needs a position")
        }
        let isOfText = if case .entry(.some) = subject { true } else { false }
        body = decoder.noteBody(mayLack: isOfText)
        words = MergePatch(&decoder, .whole)
    }
}

/// The body of a request that changes a note.
public struct NotePatch: RequestBody {
    /// The new text: see `Note.body`. `nil` leaves it as it is, and an empty one leaves only the quotation.
    public let body: String?
    /// The note's other fields.
    public let words: MergePatch<Note>
    /// The new threshold; `nil` leaves it as it is.
    public let raise: RaisedSpoilerThreshold?
    /// The club in which to share the note.
    public let club: DecodedMember<ResourceID>
    /// The run of the book in that club.
    public let run: ResourceID?
    /// The new audience, which may only be wider than before.
    public let audience: Note.Audience?

    /// A Boolean value indicating whether the patch only raises the threshold.
    public var isRaise: Bool { club.isKept && !changesText && raise != nil && audience == nil }

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        let text = decoder.string("body", length: 1...10_000, multiline: true)
        self.body = text == .null ? "" : text.value
        words = MergePatch(&decoder, .patch)
        raise = decoder.raise()
        club = decoder.resourceID("club")
        run = decoder.id("run")
        audience = decoder.choice("audience")
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
    fileprivate mutating func audience(in club: ResourceID?) -> Note.Audience? {
        let audience: Note.Audience? = choice("audience")
        switch audience {
        case .me where club != nil: refuse("audience", "must be moderators or club for a note with a club")
        case .moderators where club == nil, .club where club == nil: missing("club")
        default: break
        }
        return audience
    }

    /// Decodes a note's text, which may be absent if there is a quotation.
    fileprivate mutating func noteBody(mayLack: Bool) -> String {
        let decoded = string("body", length: 1...10_000, multiline: true)
        if mayLack || has("quote") { return decoded.value ?? "" }
        guard decoded.isNull else { return required("body", decoded, .whole) ?? "" }
        refuse("body", "is required without a quote")
        return ""
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
