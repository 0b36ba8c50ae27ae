/// A thought on a book, at a position in it or on the whole; private, or shared with one club.
public struct Note: Resource {
    /// For whom it is, those for fewer first. The raw values are stored and sent.
    public enum Audience: String, Storable, CaseIterable {
        /// Its author.
        case me
        /// Those who moderate its club, its author, and who began its thread.
        case moderators
        /// Its club.
        case club

        public func isWider(than other: Audience) -> Bool {
            let all = Self.allCases
            return all.firstIndex(of: self) ?? 0 > all.firstIndex(of: other) ?? 0
        }
    }

    public static let kind = ResourceKind.note
    public static let fields = Fields<Note>([
        .link(
            "book", from: "books.id", { $0.book }, { $0.book = $1 }, key: "book", { $0.bookKey }, { $0.bookKey = $1 }),
        .link(
            "club", from: "clubs.id", { $0.club }, { $0.club = $1 }, key: "club", { $0.clubKey }, { $0.clubKey = $1 },
            changes: true),
        .link(
            "author", from: "readers.id", { $0.isNameless ? .zero : $0.author }, { $0.author = $1 }, key: "author",
            { $0.authorKey }, { $0.authorKey = $1 }),
        .fixed("thread", { $0.thread }, { $0.thread = $1 }),
        .fixed("progress", { $0.progress }, { $0.progress = $1 }),
        Field<Note>("body", { $0.body }, { $0.body = $1 }).orEmpty(),
        Field("reactions", { $0.reactions }, { $0.reactions = $1 }),
        Field("replyCount", { $0.replyCount }, { $0.replyCount = $1 }),
        .kept("answers", .fixed, { $0.answers }, { $0.answers = $1 }),
        .kept("is_nameless", .changing, { $0.isNameless }, { $0.isNameless = $1 }),
        .kept([
            Column("scale", .changing, { $0.threshold.scale }, { $0.threshold.scale = $1 }),
            Column("at", .changing, { $0.threshold.at }, { $0.threshold.at = $1 }),
        ]),
        .computed("threshold") { $0.threshold.word },
        Field<Note>("share", { $0.threshold.share }, { $0.threshold.share = $1 }).needed(),
        .sparse("about", isFixed: true, { $0.about }, { $0.about = $1 }),
        .sparse("position", { $0.position }, { $0.position = $1 }),
        .sparse("opensAt", { $0.opensAt }, { $0.opensAt = $1 }),
        .sparse("run", { $0.run }, { $0.run = $1 }),
        .sparse("authorName", { $0.authorName }, { $0.authorName = $1 }),
        .sparse("audience", { $0.narrow }, { $0.narrow = $1 }),
        .sparse("kind", rule: .kind, { $0.kind }, { $0.kind = $1 }),
        .sparse("quote", rule: .text(1...10_000, multiline: true), { $0.quote }, { $0.quote = $1 }),
        .sparse("language", rule: .language, { $0.language }, { $0.language = $1 }),
        .kept("entry", .joined, isRead: false, { $0.entry }, { $0.entry = $1 }),
    ])

    /// The fields that a search looks into, and that say in whose.
    public static let fieldsOfSearch = fields["club", "body", "quote"]

    public var identity: Identity
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// In which it is shared; nil for one that is for its author.
    public private(set) var club: ResourceID?
    public private(set) var clubKey: Int64?
    /// Who wrote it; sent as nobody's id when it is nameless.
    public private(set) var author = ResourceID.zero
    public private(set) var authorKey: Int64 = 0
    /// What they are called in its club, or were when they went from it; nil of private notes, where it is not known, and of
    /// nameless ones.
    public var authorName: String?
    /// Whether nobody is named as its author any more.
    public private(set) var isNameless = false
    /// In a club: for whom, where that is not all of it.
    private var narrow: Audience?
    public var audience: Audience { club == nil ? .me : narrow ?? .club }
    /// Whether it says so as it is kept: only what is for fewer than its club says for whom.
    public var isAudienceKept: Bool { narrow == nil || narrow == .moderators && club != nil }
    /// Of a reply the note that its thread began with.
    public private(set) var thread: ResourceID?
    /// The plain share of the book at which it speaks of it; nil for the book as a whole.
    public private(set) var progress: Progress?
    /// Where it speaks of, as it was said; nil for the book as a whole.
    public private(set) var position: Position?
    public private(set) var threshold = Threshold.everyone
    /// The position to which the threshold was raised; nil where it is the note's own, or none.
    public private(set) var opensAt: Position?
    /// The run of the club in which it was written; it stays when the run is deleted.
    public var run: ResourceID?
    /// The meeting or the milestone that it is about, whose agenda or name it may be, for who has read so far; nil for none.
    public private(set) var about: ResourceID?
    /// Of a reply the key of what it answers.
    public var answers: Int64?
    /// 1 to 10,000 characters; empty when it is deleted, or its author has left, or there is only what it cites.
    public var body = ""
    public internal(set) var kind: Kind?
    /// What it cites, of the book or of something else; 1 to 10,000 characters.
    public internal(set) var quote: String?
    /// A BCP 47 tag: in which language that is, or, without it, the note.
    public internal(set) var language: String?
    /// Of one that comes from another house: the entry that shows it there.
    public private(set) var entry: ResourceID?
    public var reactions = ReactionCounts()
    /// The number of replies in the thread that it began with, of those that all see who see it: see `isCounted(in:)`.
    public var replyCount: Int32 = 0

    public init(_ identity: Identity) { self.identity = identity }

    public init(
        id: ResourceID, book: (id: ResourceID, key: Int64), club: (id: ResourceID, key: Int64)?,
        author: (id: ResourceID, key: Int64), run: ResourceID? = nil, about: ResourceID? = nil, at place: NotePlace,
        body: String, createdAt: Instant
    ) {
        self.init(Identity(id, madeAt: createdAt))
        (self.run, self.about) = (run, about)
        (self.book, bookKey) = book
        (self.club, clubKey) = (club?.id, club?.key)
        (self.author, authorKey) = author
        self.place = place
        self.body = body
    }

    /// An answer to another note.
    public init(
        id: ResourceID, answering other: Note, author: (id: ResourceID, key: Int64), at place: NotePlace, body: String,
        createdAt: Instant
    ) {
        self.init(
            id: id, book: (other.book, other.bookKey), club: other.club.map { ($0, other.clubKey ?? 0) },
            author: author, run: other.run, at: place, body: body, createdAt: createdAt)
        thread = other.thread ?? other.id
        answers = other.key
        narrow = other.narrow
    }

    /// Whether a thread's root counts this reply. A reply with a later threshold, or for fewer readers, is not counted: the number would
    /// tell readers of the root that it exists.
    public func isCounted(in root: Note) -> Bool {
        thread == root.id && club == root.club && audience == root.audience && threshold == root.threshold
    }

    /// It is in a club from now on, for all in it, or for some.
    public mutating func share(with audience: Audience, in club: (id: ResourceID, key: Int64)) {
        (self.club, clubKey) = (club.id, club.key)
        narrow = audience == .club ? nil : audience
    }

    /// Removes what a reader who left wrote, and the reading program's name of the position.
    public mutating func forgetWords() { (body, quote, language, position, authorName) = ("", nil, nil, nil, nil) }

    /// One that is its author's alone names nobody.
    public mutating func becomePrivate() { (isNameless, authorName) = (false, nil) }

    /// Nobody is named as its author any more.
    public mutating func forgetAuthor() { (isNameless, authorName) = (true, nil) }

    public private(set) var place: NotePlace {
        get { NotePlace(position: position, progress: progress, threshold: threshold, opensAt: opensAt) }
        set {
            (position, progress) = (newValue.position, newValue.progress)
            (threshold, opensAt) = (newValue.threshold, newValue.opensAt)
        }
    }

    /// The page of a note that speaks of one.
    public var page: Int32? {
        if case .page(let page)? = position?.value { return page }
        return nil
    }

    /// The place of a reply that says none of its own. The locator is the author's own.
    public var placeOfReplies: NotePlace {
        var place = place
        place.position = position?.withoutLocator
        return place
    }

    /// Raises the threshold to a position, or, without one, to a threshold that is none.
    public mutating func raise(to threshold: Threshold, at position: Position?) {
        place.raise(to: threshold, at: position)
    }

    /// Sets the threshold that a note has which was not said by a request.
    public mutating func settle(_ threshold: Threshold) { self.threshold = threshold }
}

/// Where in a book a note speaks of, and where it becomes visible.
public struct NotePlace: Sendable {
    fileprivate(set) var position: Position?
    fileprivate(set) var progress: Progress?
    public private(set) var threshold: Threshold
    fileprivate(set) var opensAt: Position?

    fileprivate init(position: Position?, progress: Progress?, threshold: Threshold, opensAt: Position?) {
        (self.position, self.progress, self.threshold, self.opensAt) = (position, progress, threshold, opensAt)
    }

    /// At a position; nil for the book as a whole.
    public init(_ position: Position?, progress: Progress?, _ threshold: Threshold) {
        self.init(position: position, progress: progress, threshold: threshold, opensAt: nil)
    }

    /// Raises the threshold. It says the position only where that moved it.
    public mutating func raise(to other: Threshold, at position: Position?) {
        let raised = threshold.raised(to: other)
        guard raised != threshold else { return }
        threshold = raised
        opensAt = raised.word == .position ? position : nil
    }

    /// This place for a reply to a note at another one: visible no earlier than that note.
    public func reply(to other: NotePlace) -> NotePlace {
        var reply = self
        reply.raise(to: other.threshold, at: other.opensAt ?? other.position?.withoutLocator)
        return reply
    }
}
