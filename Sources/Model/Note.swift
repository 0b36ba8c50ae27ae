public import JSON

/// A thought on a book, at a position in it or on the whole; private, or shared with one club.
public struct Note: Resource {
    public static let kind = ResourceKind.note
    public static let fields = Fields<Note>([
        .link(
            "book", from: "books.id", { $0.book }, { $0.book = $1 }, key: "book", { $0.bookKey }, { $0.bookKey = $1 }),
        .link(
            "club", from: "clubs.id", { $0.club }, { $0.club = $1 }, key: "club", { $0.clubKey }, { $0.clubKey = $1 }),
        .link(
            "author", from: "readers.id", { $0.author }, { $0.author = $1 }, key: "author", { $0.authorKey },
            { $0.authorKey = $1 }),
        .fixed("thread", { $0.thread }, { $0.thread = $1 }),
        .fixed("progress", column: "position", { $0.progress }, { $0.progress = $1 }),
        .fixed("page", { $0.page }, { $0.page = $1 }),
        Field<Note>("body", { $0.body }, { $0.body = $1 }).orEmpty(),
        Field("reactions", { $0.reactions }, { $0.reactions = $1 }),
    ])

    /// The fields that a search looks into.
    public static let fieldsOfSearch = fields["body"]

    public var identity: Identity
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// In which it is shared; nil for a private one.
    public private(set) var club: ResourceID?
    public private(set) var clubKey: Int64?
    public private(set) var author = ResourceID.zero
    public private(set) var authorKey: Int64 = 0
    /// Of a reply the note that its thread began with.
    public private(set) var thread: ResourceID?
    /// Where in the book; nil for the book as a whole. Who has not read so far does not see it.
    public private(set) var progress: Progress?
    /// The page that goes with it, where it is known.
    public private(set) var page: Int32?
    /// 1 to 10,000 characters; empty when it is deleted, or its author has left.
    public var body = ""
    public var reactions = ReactionCounts()

    public init(_ identity: Identity) { self.identity = identity }

    public init(
        id: ResourceID, book: (id: ResourceID, key: Int64), club: (id: ResourceID, key: Int64)?,
        author: (id: ResourceID, key: Int64), thread: ResourceID?, progress: Progress?, page: Int32?, body: String,
        createdAt: Instant
    ) {
        self.init(Identity(id, madeAt: createdAt))
        (self.book, bookKey) = book
        (self.club, clubKey) = (club?.id, club?.key)
        (self.author, authorKey) = author
        self.thread = thread
        self.progress = progress
        self.page = page
        self.body = body
    }
}

/// What a request says of a new note.
public struct NoteDraft: Sendable {
    /// On which book.
    public let book: ResourceID
    /// For which club; nil for a private note.
    public let club: ResourceID?
    /// Where in the book; nil for the book as a whole.
    public let position: PositionDraft?
    /// See `Note.body`.
    public let body: String

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        book = decoder.id("book", isRequired: true) ?? ResourceID(high: 0, low: 0)
        club = decoder.id("club", isRequired: false)
        var position: PositionDraft?
        decoder.position(.whole, isRequired: false).apply(to: &position)
        self.position = position
        self.body = decoder.noteBody()
        try decoder.demandValid()
    }
}

/// What a request says of a reply, or of a note that is there already: its body.
public struct NoteBody: Sendable {
    /// See `Note.body`; nil leaves it as it is.
    public let text: String?

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, form: BodyForm) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        let isThere = form == .whole || body["body"] != nil
        let text = isThere ? decoder.noteBody() : nil
        self.text = text
        try decoder.demandValid()
    }
}

extension ObjectDecoder {
    fileprivate mutating func noteBody() -> String {
        var text = ""
        required("body", string("body", length: 1...10_000, multiline: true), .whole).apply(to: &text)
        return text
    }
}
