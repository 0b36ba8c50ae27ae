/// A note on a book, at a position in it or on the whole. It is private, or shared with one club.
public struct Note: Resource {
    /// The audience of a note, narrowest first. The raw values are stored and sent.
    public enum Audience: String, StorableValue, CaseIterable {
        /// Its author.
        case me
        /// The moderators of its club, its author, and the reader who began its thread.
        case moderators
        /// All members of its club.
        case club

        public func isWider(than other: Audience) -> Bool {
            let all = Self.allCases
            return all.firstIndex(of: self) ?? 0 > all.firstIndex(of: other) ?? 0
        }
    }

    public static let kind = ResourceKind.note
    public static let fields = ResourceFields<Note>([
        .link("book", { $0.book }, { $0.book = $1 }, key: { $0.bookKey }, { $0.bookKey = $1 }),
        .link("club", { $0.club }, { $0.club = $1 }, key: { $0.clubKey }, { $0.clubKey = $1 }, changes: true),
        .link(
            "author", from: "readers.id", { $0.isNameless ? .zero : $0.author }, { $0.author = $1 },
            key: { $0.authorKey }, { $0.authorKey = $1 }),
        .fixed("thread", { $0.thread }, { $0.thread = $1 }),
        .fixed("progress", { $0.progress }, { $0.place.progress = $1 }),
        // The body of a deleted note is NULL.
        ResourceField<Note>(
            "body", [DatabaseColumn("body", .changing, { Optional($0.body) }, { $0.body = $1 ?? "" })], { $0.body },
            { $0.body = $1 }, lengthMin: 0),
        ResourceField("reactions", { $0.reactions }, { $0.reactions = $1 }),
        ResourceField("replyCount", { $0.replyCount }, { $0.replyCount = $1 }),
        .unsent("answers", .fixed, { $0.answers }, { $0.answers = $1 }),
        .unsent("is_nameless", .changing, { $0.isNameless }, { $0.isNameless = $1 }),
        .unsent([
            DatabaseColumn("scale", .changing, { $0.threshold.scale }, { $0.place.threshold.scale = $1 }),
            DatabaseColumn("at", .changing, { $0.threshold.at }, { $0.place.threshold.at = $1 }),
        ]),
        .computed("threshold") { $0.threshold.kind },
        ResourceField<Note>("share", { $0.threshold.share }, { $0.place.threshold.share = $1 }).required(),
        .sparse("about", isFixed: true, { $0.about }, { $0.about = $1 }),
        .sparse("position", { $0.position }, { $0.place.position = $1 }),
        .sparse("opensAt", { $0.opensAt }, { $0.place.opensAt = $1 }),
        .sparse("run", { $0.run }, { $0.run = $1 }),
        .sparse("authorName", { $0.authorName }, { $0.authorName = $1 }),
        .sparse("audience", { $0.narrow }, { $0.narrow = $1 }),
        .sparse("kind", rule: .choiceOrNull(), { $0.kind }, { $0.kind = $1 }),
        .sparse("quote", rule: .text(1...10_000, multiline: true), { $0.quote }, { $0.quote = $1 }),
        .sparse("language", rule: .language, { $0.language }, { $0.language = $1 }),
        .unsent("entry", .joined, isRead: false, { $0.entry }, { $0.entry = $1 }),
    ])

    /// The fields that a search compares, and the club that scopes a search.
    public static let fieldsOfSearch = fields["club", "body", "quote"]

    public var identity: CommonResourceFields
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// The club in which the note is shared, or `nil` for a private note.
    public private(set) var club: ResourceID?
    public private(set) var clubKey: Int64?
    /// The author. Sent as the zero id when the note is nameless.
    public private(set) var author = ResourceID.zero
    public private(set) var authorKey: Int64 = 0
    /// The author's name in the club, the last one if they left. `nil` for private and nameless notes, and where it is
    /// unknown.
    public var authorName: String?
    /// A Boolean value indicating whether the author's name was removed.
    public private(set) var isNameless = false
    /// The audience within a club, where it is not all members.
    private var narrow: Audience?
    public var audience: Audience { club == nil ? .me : narrow ?? .club }
    /// A Boolean value indicating whether the note stores no audience, or that of moderators in a club. An import
    /// refuses any other stored audience.
    public var hasValidStoredAudience: Bool { narrow == nil || narrow == .moderators && club != nil }
    /// The note that began the thread, for a reply.
    public private(set) var thread: ResourceID?
    public private(set) var place = NotePlace(nil, progress: nil, .everyone)
    public var progress: Progress? { place.progress }
    public var position: Position? { place.position }
    public var threshold: SpoilerThreshold { place.threshold }
    public var opensAt: Position? { place.opensAt }
    /// The run of the club in which the note was written. It stays when the run is deleted.
    public var run: ResourceID?
    /// The meeting or the milestone that the note discusses, or `nil`. The note may contain its agenda or name, so only
    /// readers who have read that far see it.
    public private(set) var about: ResourceID?
    /// The key of the note that a reply answers.
    public var answers: Int64?
    /// The text, 1 to 10,000 characters. Empty if the note is deleted, its author has left, or it has only a quotation.
    public var body = ""
    public internal(set) var kind: NoteKind?
    /// The quotation, from the book or another source; 1 to 10,000 characters.
    public internal(set) var quote: String?
    /// The language of the quotation or, without one, of the note: a BCP 47 tag.
    public internal(set) var language: String?
    /// The entry that shows an imported note, according to the imported file. `nil` for all other notes.
    public private(set) var entry: ResourceID?
    public var reactions = NoteReactionCounts()
    /// The number of replies in the thread that began with the note. Counts replies that everyone who sees the note
    /// also sees: see `isCounted(in:)`.
    public var replyCount: Int32 = 0

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(
        id: ResourceID, book: RowReference, club: RowReference?, author: RowReference, run: ResourceID? = nil,
        about: ResourceID? = nil, at place: NotePlace, body: String, createdAt: Instant
    ) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.run, self.about) = (run, about)
        (self.book, bookKey) = book
        (self.club, clubKey) = (club?.id, club?.key)
        (self.author, authorKey) = author
        self.place = place
        self.body = body
    }

    /// Creates a reply to another note.
    public init(
        id: ResourceID, answering other: Note, author: RowReference, at place: NotePlace, body: String,
        createdAt: Instant
    ) {
        self.init(
            id: id, book: (other.book, other.bookKey), club: other.club.map { ($0, other.clubKey ?? 0) },
            author: author, run: other.run, at: place, body: body, createdAt: createdAt)
        thread = other.thread ?? other.id
        answers = other.key
        narrow = other.narrow
    }

    /// Returns whether a thread's root counts this reply. A reply with a later threshold or a narrower audience is not
    /// counted, because the number would reveal it to readers of the root.
    public func isCounted(in root: Note) -> Bool {
        thread == root.id && club == root.club && audience == root.audience && threshold == root.threshold
    }

    /// Shares the note with an audience in a club.
    public mutating func share(with audience: Audience, in club: RowReference) {
        (self.club, clubKey) = (club.id, club.key)
        narrow = audience == .club ? nil : audience
    }

    /// Removes the text of a reader who left, and the position with the locator of the reading program.
    public mutating func forgetWords() {
        (body, quote, language, place.position, authorName) = ("", nil, nil, nil, nil)
    }

    /// Clears `isNameless` and the author's name in the club, which a private note does not need.
    public mutating func becomePrivate() { (isNameless, authorName) = (false, nil) }

    /// Removes the author's name from the note, whose text stays.
    public mutating func forgetAuthor() { (isNameless, authorName) = (true, nil) }

    /// The page of the position, or `nil` if the position is not given as a page.
    public var page: Int32? { position?.value.page }

    /// The position of a reply that has none of its own, without the locator, which is the author's own.
    public var placeOfReplies: NotePlace {
        var place = place
        place.position = position?.withoutLocator
        return place
    }

    /// Raises the threshold to another one, which is at a position if one is given.
    public mutating func raise(to threshold: SpoilerThreshold, at position: Position?) {
        place.raise(to: threshold, at: position)
    }

    /// Sets a threshold that no request gave: for an imported note, or a private one that is now shared.
    public mutating func settle(_ threshold: SpoilerThreshold) { place.threshold = threshold }
}

/// The position of a note in a book, and its threshold.
public struct NotePlace: Sendable {
    /// The position as the client sent it, or `nil` for the book as a whole.
    fileprivate(set) var position: Position?
    /// The position as a share of the whole book, or `nil` for the book as a whole.
    fileprivate(set) var progress: Progress?
    public fileprivate(set) var threshold: SpoilerThreshold
    /// The position to which the threshold was raised. `nil` if the threshold is at the note's own position, or at
    /// none.
    fileprivate(set) var opensAt: Position?

    /// Creates the place at a position, or for the book as a whole if it is `nil`.
    public init(_ position: Position?, progress: Progress?, _ threshold: SpoilerThreshold) {
        (self.position, self.progress, self.threshold) = (position, progress, threshold)
    }

    /// Raises the threshold to another one, if that is later. `opensAt` is then the given position, or `nil` if the new
    /// threshold is the end of the book.
    public mutating func raise(to other: SpoilerThreshold, at position: Position?) {
        let raised = threshold.raised(to: other)
        guard raised != threshold else { return }
        threshold = raised
        opensAt = raised.kind == .position ? position : nil
    }

    /// Returns this place for a reply to a note at another place. The reply becomes visible no earlier than that note.
    public func reply(to other: NotePlace) -> NotePlace {
        var reply = self
        reply.raise(to: other.threshold, at: other.opensAt ?? other.position?.withoutLocator)
        return reply
    }
}
