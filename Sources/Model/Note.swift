public import JSON

/// A thought on a book, at a position in it or on the whole; private, or shared with one club.
public struct Note: Resource {
    /// The row's key, the `seq` of the change that made it; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the book's row.
    public var bookKey: Int64
    /// The key of the club's row; nil for a private note.
    public var clubKey: Int64?
    /// The key of the row of its author.
    public var authorKey: Int64
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// On which book.
    public let book: ResourceID
    /// Shared with which club.
    public let club: ResourceID?
    /// Who wrote it.
    public let author: ResourceID
    /// Of a reply: the note that the thread began with, whose book, club and position it has.
    public let thread: ResourceID?
    /// Where in the book; nil for the book as a whole. Who has not read so far does not see a club's note.
    public let progress: Progress?
    /// The page that goes with it, where it is known.
    public let page: Int32?
    /// Markdown, 1 to 10,000 characters, kept as written.
    public var body: String
    /// How many readers reacted, and how.
    public var reactions = ReactionCounts()
    /// When it was written.
    public var createdAt: Instant?
    /// When it last changed.
    public var updatedAt: Instant?

    /// A note that has just been written.
    public init(
        id: ResourceID, book: (id: ResourceID, key: Int64), club: (id: ResourceID, key: Int64)?,
        author: (id: ResourceID, key: Int64), thread: ResourceID?, progress: Progress?, page: Int32?, body: String,
        createdAt: Instant
    ) {
        self.id = id
        self.book = book.id
        bookKey = book.key
        self.club = club?.id
        clubKey = club?.key
        self.author = author.id
        authorKey = author.key
        self.thread = thread
        self.progress = progress
        self.page = page
        self.body = body
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.note`.
    public static let kind = ResourceKind.note

    /// The fields; only the last two change.
    public static let fieldNames: [StaticString] = [
        "book", "club", "author", "thread", "progress", "page", "body", "reactions",
    ]

    /// The fields whose words are searched.
    public static let fieldsOfSearch = FieldSet(index: 6)

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(book)
        case 1: json.optional(club)
        case 2: json.id(author)
        case 3: json.optional(thread)
        case 4: if let progress { json.progress(progress) } else { json.null() }
        case 5: json.optional(page)
        case 6: json.string(body)
        default: json.reactions(reactions)
        }
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
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
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
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}

extension ObjectDecoder {
    fileprivate mutating func noteBody() -> String {
        var text = ""
        required("body", string("body", length: 1...10_000, multiline: true), .whole).apply(to: &text)
        return text
    }
}
