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
        .fixed("progress", column: "position", { $0.progress }, { $0.progress = $1 }),
        .fixed("page", { $0.page }, { $0.page = $1 }),
        Field<Note>("body", { $0.body }, { $0.body = $1 }).orEmpty(),
        Field("reactions", { $0.reactions }, { $0.reactions = $1 }),
        .kept("answers", .fixed, { $0.answers }, { $0.answers = $1 }),
        .kept("is_nameless", .changing, { $0.isNameless }, { $0.isNameless = $1 }),
        .kept("is_reticent", .changing, { $0.isReticent }, { $0.isReticent = $1 }),
        .sparse("about", isFixed: true, { $0.about }, { $0.about = $1 }),
        .sparse("at", { $0.at }, { $0.at = $1 }),
        .sparse(
            "opens", columns: [Column("opens", .changing, { $0.opening.way }, { $0.opening.way = $1 })],
            { $0.isReticent ? nil : $0.opening.way }, { $0.opening.way = $1 }),
        .sparse(
            "opensAt",
            columns: [
                Column("opens_at", .changing, { $0.opening.share }, { $0.opening.share = $1 }),
                Column("frame", .changing, { $0.opening.frame }, { $0.opening.frame = $1 }),
                Column("frame_at", .changing, { $0.opening.inFrame }, { $0.opening.inFrame = $1 }),
                Column("chapters_at", .changing, { $0.opening.mostByChapters }, { $0.opening.mostByChapters = $1 }),
            ], { $0.isReticent || $0.opening.way == nil ? nil : $0.opening.share }, { $0.opening.share = $1 ?? .none }),
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
    /// Whether it is not told where it opens, which may be as far as its author knows the book.
    public internal(set) var isReticent = false
    /// In a club: for whom, where that is not all of it.
    private var narrow: Audience?
    public var audience: Audience { club == nil ? .me : narrow ?? .club }
    /// Whether it says so as it is kept: only what is for fewer than its club says for whom.
    public var isAudienceKept: Bool { narrow == nil || narrow == .moderators && club != nil }
    /// Of a reply the note that its thread began with.
    public private(set) var thread: ResourceID?
    /// Where in the book; nil for the book as a whole. Who has not read so far does not see it.
    public private(set) var progress: Progress?
    /// The page that goes with it, where it is known.
    public private(set) var page: Int32?
    /// The run of the club in which it was written; it stays when the run is deleted.
    public var run: ResourceID?
    /// The meeting or the milestone that it is about, whose agenda or name it may be, for who has read so far; nil for none.
    public private(set) var about: ResourceID?
    /// Where that is, as it was said; nil where it was said in short, in no edition.
    public private(set) var at: SaidPlace?
    /// Of a reply the key of what it answers.
    public var answers: Int64?
    public var opening = Opening.everyone.unsaid
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
        isReticent = other.isReticent
        narrow = other.narrow
    }

    /// It is in a club from now on, for all in it, or for some.
    public mutating func share(with audience: Audience, in club: (id: ResourceID, key: Int64)) {
        (self.club, clubKey) = (club.id, club.key)
        narrow = audience == .club ? nil : audience
    }

    /// What a reader who left wrote: a reading program's name of the place, too.
    public mutating func forgetWords() { (body, quote, language, at, authorName) = ("", nil, nil, nil, nil) }

    /// One that is its author's alone names nobody.
    public mutating func becomePrivate() { (isNameless, isReticent, authorName) = (false, false, nil) }

    /// Nobody is named as its author any more.
    public mutating func forgetAuthor() { (isNameless, authorName) = (true, nil) }

    public private(set) var place: NotePlace {
        get { NotePlace(progress: progress, page: page, at: at, opening: opening) }
        set { (progress, page, at, opening) = (newValue.progress, newValue.page, newValue.at, newValue.opening) }
    }

    /// That of an answer which says no other: a reading program's name for it is its author's own.
    public var placeOfAnswers: NotePlace {
        NotePlace(progress: progress, page: page, at: at?.withoutLocator, opening: opening)
    }
}

/// Where in a book a note is, and opens.
public struct NotePlace: Sendable {
    let progress: Progress?
    let page: Int32?
    let at: SaidPlace?
    public var opening: Opening

    fileprivate init(progress: Progress?, page: Int32?, at: SaidPlace?, opening: Opening) {
        (self.progress, self.page, self.at, self.opening) = (progress, page, at, opening)
    }

    /// Where an entry is.
    public init(of entry: Entry, opening: Opening) {
        self.init(progress: entry.progress, page: entry.page, at: entry.at, opening: opening)
    }

    /// At a place; nil for the book as a whole.
    public init(_ placed: Placed?, opening: Opening) {
        self.init(progress: placed?.share, page: placed?.page, at: placed?.at, opening: opening)
    }
}
