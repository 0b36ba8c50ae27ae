public import JSON

/// A meeting of a club.
public struct Meeting: Resource {
    public static let kind = ResourceKind.meeting
    public static let fields = ResourceFields<Meeting>([
        .link("club", { $0.club }, { $0.club = $1 }, key: { $0.clubKey }, { $0.clubKey = $1 }),
        ResourceField("title", .text(1...200), { $0.title }, { $0.title = $1 }),
        ResourceField("startsAt", .instant, { $0.startsAt }, { $0.startsAt = $1 }),
        ResourceField("timeZone", .timeZone, { $0.timeZone }, { $0.timeZone = $1 }),
        ResourceField("minutes", .number(1...1440), { $0.minutes }, { $0.minutes = $1 }),
        ResourceField("place", .text(1...500), { $0.place }, { $0.place = $1 }),
        ResourceField("link", .url, { $0.link }, { $0.link = $1 }),
        ResourceField("agenda", .text(1...10_000, multiline: true), { $0.agenda }, { $0.agenda = $1 }),
        .link("book", { $0.book }, { $0.book = $1 }, key: { $0.bookKey }, { $0.bookKey = $1 }, changes: true),
        ResourceField("bookTitle", { $0.bookTitle }, { $0.bookTitle = $1 }),
        ResourceField("progress", { $0.progress }, { $0.progress = $1 }),
        ResourceField("page", { $0.page }, { $0.page = $1 }),
        ResourceField("hasBegun", { $0.hasBegun }, { $0.hasBegun = $1 }),
        .sparse("position", { $0.position }, { $0.position = $1 }),
        .sparse("run", { $0.run }, { $0.run = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    /// The title, 1 to 200 characters.
    public var title: String?
    public var startsAt = Instant(milliseconds: 0)
    /// The time zone of the attendees, an identifier of the IANA time zone database.
    public var timeZone = "UTC"
    /// The duration in minutes, 1 to 1,440.
    public var minutes: Int32?
    /// The place, 1 to 500 characters.
    public var place: String?
    /// The http or https URL of a call or a page.
    public var link: String?
    /// The agenda, 1 to 10,000 characters.
    public var agenda: String?
    /// The book that the meeting discusses.
    public var book: ResourceID?
    public var bookKey: Int64?
    /// The title of `book`.
    public var bookTitle: String?
    /// The run of `book` to which the meeting belongs. It stays when the run is deleted.
    public var run: ResourceID?
    /// The share of the book to be discussed, or `nil` for all of it.
    public var progress: Progress?
    /// The page at `progress`, where it is known.
    public var page: Int32?
    /// The position up to which the book is discussed, as the client sent it; `nil` for all of it.
    public var position: Position?
    /// A Boolean value indicating whether the meeting has begun. The clock sets it once, and only another `startsAt`
    /// resets it.
    public var hasBegun = false

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(id: ResourceID, club: RowReference, startsAt: Instant, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.club, clubKey) = club
        self.startsAt = startsAt
        hasBegun = startsAt <= createdAt
    }
}

/// The body of a request that creates or changes a meeting.
public struct MeetingPatch: RequestBody {
    private let fields: MergePatch<Meeting>
    /// The book to discuss.
    public let book: DecodedMember<ResourceID>
    /// The run of the book.
    public let run: DecodedMember<ResourceID>
    /// The position up to which the book is discussed.
    public let position: DecodedMember<Position>

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        fields = MergePatch(&decoder, form)
        book = decoder.resourceID("book")
        let given = decoder.resourceID("run")
        // A new meeting has no run to remove.
        run = form == .whole && given.isNull ? .absent : given
        position = decoder.position("position")
    }

    /// Applies all but the book, the run and the position, which the command looks up.
    public func apply(to meeting: inout Meeting, at now: Instant) {
        let before = meeting.startsAt
        fields.apply(to: &meeting)
        if meeting.startsAt != before { meeting.hasBegun = meeting.startsAt <= now }
    }
}

extension FieldRule where Value == String {
    /// A rule that requires an identifier of the IANA time zone database.
    static let timeZone = FieldRule { decoder, name, _ in
        let zone = decoder.parsed(
            decoder.string(name, length: 1...64), name,
            "must be an identifier of the IANA time zone database such as Europe/Lisbon"
        ) { zone in
            TimeZoneDays.exist(for: zone) ? zone : nil
        }
        return decoder.required(name, zone, .patch)
    }
}
