/// One mark on a reader's way (`ReadingProgress.Entry`): how far, when, and a thought.
public struct Entry: Resource {
    public static let kind = ResourceKind.entry
    public static let fields = Fields<Entry>([
        .link(
            "reading", from: "readings.id", { $0.reading }, { $0.reading = $1 }, key: "reading", { $0.readingKey },
            { $0.readingKey = $1 }),
        Field.fixed("progress", { $0.progress }, { $0.progress = $1 }).needed(),
        .fixed("page", { $0.page }, { $0.page = $1 }),
        .entryNote,
        .fixed("device", { $0.device }, { $0.device = $1 }),
        .fixed("happenedAt", { $0.happenedAt }, { $0.happenedAt = $1 }),
        .fixed("receivedAt", { $0.receivedAt }, { $0.receivedAt = $1 }),
        .scaled(.fixed, { $0.scaled }, { $0.scaled = $1 }),
        .kept("readings.reader", .joined, { $0.readerKey }, { $0.readerKey = $1 }),
        .sparse("position", isFixed: true, { $0.position }, { $0.position = $1 }),
        .sparse("noteId", { $0.noteID }, { $0.noteID = $1 }),
    ])

    public var identity: Identity
    public private(set) var reading = ResourceID.zero
    public private(set) var readingKey: Int64 = 0
    public private(set) var readerKey: Int64 = 0
    /// The plain share of the book.
    public private(set) var progress = Progress.none
    /// The position as it was said; nil of a bare page or progress in no edition.
    public private(set) var position: Position?
    /// Its amounts. Of an imported account's entries there are none: these say no more than their progress.
    public private(set) var scaled = ScaledPosition()
    /// The page that goes with it, where the reading's pages are known.
    public private(set) var page: Int32?
    private var noted: Noted?
    /// What recorded it; 1 to 100 characters.
    public private(set) var device: String?
    /// When, by the device's clock.
    public private(set) var happenedAt = Instant(milliseconds: 0)
    /// When, by the server's clock.
    public private(set) var receivedAt = Instant(milliseconds: 0)

    /// In a room of its own: most entries have none, and are copied again and again.
    private final class Noted: Sendable {
        let text: String?
        let id: ResourceID?

        init?(_ text: String?, _ id: ResourceID?) {
            guard text != nil || id != nil else { return nil }
            (self.text, self.id) = (text, id)
        }
    }

    public init(_ identity: Identity) { self.identity = identity }

    public init(
        id: ResourceID, reading: (id: ResourceID, key: Int64), readerKey: Int64, _ resolved: ResolvedPosition,
        _ scaled: ScaledPosition, note: String?, device: String?, happenedAt: Instant, receivedAt: Instant
    ) {
        self.init(Identity(id: id))
        (self.reading, readingKey) = reading
        self.readerKey = readerKey
        (progress, page, position) = (resolved.share, resolved.page, resolved.position)
        self.scaled = scaled
        self.note = note
        self.device = device
        self.happenedAt = happenedAt
        self.receivedAt = receivedAt
    }

    /// What is noted there, 1 to 10,000 characters: its own text, or what its note says now.
    public fileprivate(set) var note: String? {
        get { noted?.text }
        set { if newValue != nil || noted != nil { noted = Noted(newValue, noteID) } }
    }

    /// The note that was made with it, or of its text; nil where there is none.
    public fileprivate(set) var noteID: ResourceID? {
        get { noted?.id }
        set { if newValue != noteID { noted = Noted(note, newValue) } }
    }

    /// Its own text, which is no note's.
    fileprivate var ownText: String? { noteID == nil ? note : nil }

    /// Shows a note, or none any more.
    public mutating func show(_ note: Note?) { noted = Noted(note?.text, note?.id) }

    /// When it takes place: no later than it was received, whatever the device's clock says, nor than now.
    public func takesPlace(_ now: Instant) -> Instant { min(happenedAt, receivedAt, now) }
}

extension Field<Entry> {
    /// The text is its own row's or its note's, and in one of the two only.
    fileprivate static var entryNote: Field {
        let own = Column<Entry>("note", .fixed, isRead: false, { $0.ownText }, { $0.note = $1 })
        let shown = Column<Entry>(
            """
            CASE WHEN entries.note_id IS NULL THEN entries.note ELSE (
                SELECT ifnull(nullif(notes.body, ''), notes.quote) FROM notes WHERE notes.id = entries.note_id) END
            """, .joined, { $0.note }, { $0.note = $1 })
        // The line of an export leaves to its note what that says.
        return Field("note", [own, shown], { $0.note }, { if $1 != nil || $0.noteID == nil { $0.note = $1 } })
    }
}
