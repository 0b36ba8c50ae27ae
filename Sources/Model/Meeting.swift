import Foundation
public import JSON

/// A club comes together.
public struct Meeting: Resource {
    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the club's row.
    public var clubKey: Int64
    /// The key of the book's row; nil without one.
    public var bookKey: Int64?
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Which club.
    public let club: ResourceID
    /// What it is called; 1 to 200 characters.
    public var title: String?
    /// When.
    public var startsAt: Instant
    /// In which time zone people speak of it: an identifier of the IANA database.
    public var timeZone: String
    /// For how long, from 1 to 1,440.
    public var minutes: Int32?
    /// Where, in words.
    public var place: String?
    /// Where, on the web.
    public var link: String?
    /// What about; up to 10,000 characters of Markdown.
    public var agenda: String?
    /// About which book.
    public var book: ResourceID?
    /// How far everybody should have read; nil for no matter.
    public var progress: Progress?
    /// The page that goes with it, where it is known.
    public var page: Int32?
    /// Whether its time has come. Set by the clock, once; only another `startsAt` takes it back.
    public var hasBegun: Bool
    /// When it was called.
    public var createdAt: Instant?
    /// When this last changed.
    public var updatedAt: Instant?

    /// A meeting of which only the time is known.
    public init(id: ResourceID, club: (id: ResourceID, key: Int64), startsAt: Instant, createdAt: Instant) {
        self.id = id
        self.club = club.id
        clubKey = club.key
        self.startsAt = startsAt
        timeZone = "UTC"
        hasBegun = startsAt <= createdAt
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.meeting`.
    public static let kind = ResourceKind.meeting

    /// The fields; the first never changes.
    public static let fieldNames: [StaticString] = [
        "club", "title", "startsAt", "timeZone", "minutes", "place", "link", "agenda", "book", "progress", "page",
        "hasBegun",
    ]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(club)
        case 1: json.string(title)
        case 2: json.instant(startsAt)
        case 3: json.string(timeZone)
        case 4: json.optional(minutes)
        case 5: json.string(place)
        case 6: json.string(link)
        case 7: json.string(agenda)
        case 8: json.optional(book)
        case 9: if let progress { json.progress(progress) } else { json.null() }
        case 10: json.optional(page)
        default: json.bool(hasBegun)
        }
    }
}

/// What a request says of a meeting.
public struct MeetingPatch: Sendable {
    private let title: Patch<String>
    private let startsAt: Patch<Instant>
    private let timeZone: Patch<String>
    private let minutes: Patch<Int32>
    private let place: Patch<String>
    private let link: Patch<String>
    private let agenda: Patch<String>
    /// About which book: the command looks it up.
    public let book: Patch<ResourceID>
    /// How far: the command asks the book for it.
    public let position: Patch<PositionDraft>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, form: BodyForm) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        title = decoder.string("title", length: 1...200).patch
        startsAt = decoder.required("startsAt", decoder.instant("startsAt"), form)
        timeZone = decoder.required("timeZone", decoder.timeZone("timeZone"), .patch)
        minutes = decoder.integer("minutes", in: 1...1440).patch.map { Int32($0) }
        place = decoder.string("place", length: 1...500).patch
        link = decoder.url("link").patch
        agenda = decoder.string("agenda", length: 1...10_000, multiline: true).patch
        book = decoder.resourceID("book").patch
        position = decoder.position(form, isRequired: false)
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }

    /// Applies what was said, but for the book and the position in it.
    public func apply(to meeting: inout Meeting, at now: Instant) {
        title.apply(to: &meeting.title)
        timeZone.apply(to: &meeting.timeZone)
        minutes.apply(to: &meeting.minutes)
        place.apply(to: &meeting.place)
        link.apply(to: &meeting.link)
        agenda.apply(to: &meeting.agenda)
        let before = meeting.startsAt
        startsAt.apply(to: &meeting.startsAt)
        if meeting.startsAt != before { meeting.hasBegun = meeting.startsAt <= now }
    }
}

extension ObjectDecoder {
    fileprivate mutating func timeZone(_ name: StaticString) -> Decoded<String> {
        parsed(
            string(name, length: 1...64), name,
            "must be an identifier of the IANA time zone database such as Europe/Lisbon"
        ) { zone in
            (zone == "UTC" || zone.contains("/")) && TimeZone(identifier: zone) != nil ? zone : nil
        }
    }
}
