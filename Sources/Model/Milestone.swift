public import JSON

/// Where in a club's book everybody wants to be, and by when.
public struct Milestone: Resource {
    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the club's row.
    public var clubKey: Int64
    /// The key of the row of the book on the club's list.
    public var clubBookKey: Int64
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Of which club.
    public let club: ResourceID
    /// In which book.
    public let book: ResourceID
    /// What it is called, a chapter's name for instance; 1 to 200 characters.
    public var name: String?
    /// How far.
    public var progress: Progress
    /// The page that goes with it, where it is known.
    public var page: Int32?
    /// By when.
    public var dueAt: Instant
    /// Whether that time has come. Set by the clock, once; only another `dueAt` takes it back.
    public var isDue: Bool
    /// When it was set.
    public var createdAt: Instant?
    /// When this last changed.
    public var updatedAt: Instant?

    /// A milestone at the start of a book, without a name.
    public init(
        id: ResourceID, club: (id: ResourceID, key: Int64), book: (id: ResourceID, clubBookKey: Int64), dueAt: Instant,
        createdAt: Instant
    ) {
        self.id = id
        self.club = club.id
        clubKey = club.key
        self.book = book.id
        clubBookKey = book.clubBookKey
        progress = .none
        self.dueAt = dueAt
        isDue = dueAt <= createdAt
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.milestone`.
    public static let kind = ResourceKind.milestone

    /// The fields; the first two never change.
    public static let fieldNames: [StaticString] = ["club", "book", "name", "progress", "page", "dueAt", "isDue"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(club)
        case 1: json.id(book)
        case 2: json.string(name)
        case 3: json.progress(progress)
        case 4: json.optional(page)
        case 5: json.instant(dueAt)
        default: json.bool(isDue)
        }
    }
}

/// What a request says of a milestone.
public struct MilestonePatch: Sendable {
    /// In which book; nil in a patch, and for the club's current one.
    public let book: ResourceID?
    /// See `Milestone.name`.
    public let name: Patch<String>
    /// How far.
    public let position: Patch<PositionDraft>
    /// By when.
    public let dueAt: Patch<Instant>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, form: BodyForm) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        book = form == .whole ? decoder.id("book", isRequired: false) : nil
        name = decoder.string("name", length: 1...200).patch
        position = decoder.position(form, isRequired: true)
        dueAt = decoder.required("dueAt", decoder.instant("dueAt"), form)
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}
