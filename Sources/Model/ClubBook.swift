public import JSON

/// A book on a club's reading list.
public struct ClubBook: Resource {
    /// What the book is to the club. The raw values are stored and sent.
    public enum State: String, Sendable, CaseIterable {
        case planned
        /// At most one of a club is.
        case current
        case read
    }

    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the club's row.
    public var clubKey: Int64
    /// The key of the book's row.
    public var bookKey: Int64
    /// The pages of the book, as they were when this was read from the database; not part of it.
    public var pageCount: Int32?
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Of which club.
    public let club: ResourceID
    /// Which book.
    public let book: ResourceID
    /// Where on the list: lesser ones come first, of equal ones the one that was added first.
    public var place: Int32
    /// What it is to the club.
    public var state: State
    /// When it was added.
    public var createdAt: Instant?
    /// When this last changed.
    public var updatedAt: Instant?

    /// A book that has just been added.
    public init(
        id: ResourceID, club: (id: ResourceID, key: Int64), book: (id: ResourceID, key: Int64), place: Int32,
        state: State, createdAt: Instant
    ) {
        self.id = id
        self.club = club.id
        clubKey = club.key
        self.book = book.id
        bookKey = book.key
        self.place = place
        self.state = state
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.clubBook`.
    public static let kind = ResourceKind.clubBook

    /// The fields; the first two never change.
    public static let fieldNames: [StaticString] = ["club", "book", "place", "state"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(club)
        case 1: json.id(book)
        case 2: json.integer(Int64(place))
        default: json.string(state.rawValue)
        }
    }
}

/// What a request says of a book on a club's list.
public struct ClubBookPatch: Sendable {
    /// Where on the list.
    public let place: Patch<Int32>
    /// What it is to the club.
    public let state: Patch<ClubBook.State>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        place = decoder.required("place", decoder.integer("place", in: 0...1_000_000), .patch).map { Int32($0) }
        state = decoder.choice("state")
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}
