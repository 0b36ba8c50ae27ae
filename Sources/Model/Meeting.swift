public import JSON

/// A club comes together.
public struct Meeting: Resource {
    public static let kind = ResourceKind.meeting
    public static let fields = Fields<Meeting>([
        .link(
            "club", from: "clubs.id", { $0.club }, { $0.club = $1 }, key: "club", { $0.clubKey }, { $0.clubKey = $1 }),
        Field("title", .text(1...200), { $0.title }, { $0.title = $1 }),
        Field("startsAt", .instant, { $0.startsAt }, { $0.startsAt = $1 }),
        Field("timeZone", .timeZone, { $0.timeZone }, { $0.timeZone = $1 }),
        Field("minutes", .number(1...1440), { $0.minutes }, { $0.minutes = $1 }),
        Field("place", .text(1...500), { $0.place }, { $0.place = $1 }),
        Field("link", .url, { $0.link }, { $0.link = $1 }),
        Field("agenda", .text(1...10_000, multiline: true), { $0.agenda }, { $0.agenda = $1 }),
        .link(
            "book", from: "books.id", { $0.book }, { $0.book = $1 }, key: "book", { $0.bookKey }, { $0.bookKey = $1 },
            changes: true),
        Field("bookTitle", { $0.bookTitle }, { $0.bookTitle = $1 }),
        Field("progress", { $0.progress }, { $0.progress = $1 }),
        Field("page", { $0.page }, { $0.page = $1 }),
        Field("hasBegun", { $0.hasBegun }, { $0.hasBegun = $1 }),
        .sparse("position", { $0.position }, { $0.position = $1 }),
        .sparse("run", { $0.run }, { $0.run = $1 }),
    ])

    public var identity: Identity
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    /// 1 to 200 characters.
    public var title: String?
    public var startsAt = Instant(milliseconds: 0)
    /// An identifier of the IANA time zone database: where those who come are.
    public var timeZone = "UTC"
    /// How long; 1 to 1,440.
    public var minutes: Int32?
    /// 1 to 500 characters.
    public var place: String?
    /// An http or https URL.
    public var link: String?
    /// 1 to 10,000 characters.
    public var agenda: String?
    /// What it is about.
    public var book: ResourceID?
    public var bookKey: Int64?
    /// The title of that book.
    public var bookTitle: String?
    /// The run of `book` that it belongs to; it stays when the run is deleted.
    public var run: ResourceID?
    /// Up to where; nil for all of the book.
    public var progress: Progress?
    /// The page that goes with `progress`, where it is known.
    public var page: Int32?
    /// Where that is, as it was said; nil for all of the book.
    public var position: Position?
    /// Whether its time has come. Set by the clock, once; only another `startsAt` takes it back.
    public var hasBegun = false

    public init(_ identity: Identity) { self.identity = identity }

    public init(id: ResourceID, club: (id: ResourceID, key: Int64), startsAt: Instant, createdAt: Instant) {
        self.init(Identity(id, madeAt: createdAt))
        (self.club, clubKey) = club
        self.startsAt = startsAt
        hasBegun = startsAt <= createdAt
    }
}

/// What a request says of a meeting.
public struct MeetingPatch: Sendable {
    private let fields: MergePatch<Meeting>
    /// The book that it is about.
    public let book: Patch<ResourceID>
    /// In which run of it.
    public let run: Patch<ResourceID>
    /// Up to where in it.
    public let position: Patch<Position>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, form: BodyForm) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        fields = MergePatch(&decoder, form)
        book = decoder.resourceID("book").patch
        let said = decoder.resourceID("run").patch
        // Where nothing was before, nothing is taken away.
        run = if form == .whole, case .clear = said { .keep } else { said }
        position = decoder.position(form, isRequired: false)
        try decoder.demandValid()
    }

    /// Applies all but the book and the position, which the command looks up.
    public func apply(to meeting: inout Meeting, at now: Instant) {
        let before = meeting.startsAt
        fields.apply(to: &meeting)
        if meeting.startsAt != before { meeting.hasBegun = meeting.startsAt <= now }
    }
}

extension Rule where Value == String {
    /// An identifier of the IANA time zone database.
    static let timeZone = Rule { decoder, name, _ in
        let zone = decoder.parsed(
            decoder.string(name, length: 1...64), name,
            "must be an identifier of the IANA time zone database such as Europe/Lisbon"
        ) { zone in
            TimeZoneNames.contains(zone) ? zone : nil
        }
        return decoder.required(name, zone, .patch).said
    }
}
