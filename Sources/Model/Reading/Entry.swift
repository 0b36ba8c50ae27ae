/// One step of a reading (`ReadingProgress.Entry`): a position, a time, and perhaps a text.
public struct Entry: Resource {
    public static let kind = ResourceKind.entry
    public static let fields = ResourceFields<Entry>([
        .link("reading", { $0.reading }, { $0.reading = $1 }, key: { $0.readingKey }, { $0.readingKey = $1 }),
        ResourceField.fixed("progress", { $0.progress }, { $0.progress = $1 }).required(),
        .fixed("page", { $0.page }, { $0.page = $1 }),
        .entryNote,
        .fixed("device", { $0.device }, { $0.device = $1 }),
        .fixed("happenedAt", { $0.happenedAt }, { $0.happenedAt = $1 }),
        .fixed(
            "receivedAt", { $0.receivedAt },
            {
                $0.receivedAt = $1
                // Exports of earlier versions have later times, by fast device clocks.
                $0.happenedAt = min($0.happenedAt, $1)
            }),
        .scaled(.fixed, { $0.scaled }, { $0.scaled = $1 }),
        .unsent("readings.reader", .joined, { $0.readerKey }, { $0.readerKey = $1 }),
        .sparse("position", isFixed: true, { $0.position }, { $0.position = $1 }),
        .sparse("noteId", { $0.noteID }, { $0.noteID = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var reading = ResourceID.zero
    public private(set) var readingKey: Int64 = 0
    public private(set) var readerKey: Int64 = 0
    /// The position as a share of the whole book.
    public private(set) var progress = Progress.none
    /// The position as the client sent it; `nil` for a bare page or progress without an edition.
    public private(set) var position: Position?
    /// The position's amounts in all scales. Empty for the entries of an imported account, which have only their
    /// progress.
    public private(set) var scaled = ScaledPosition()
    /// The page at that position, if the reading's page count is known.
    public private(set) var page: Int32?
    /// The text, 1 to 10,000 characters: the entry's own text, or the present text of its note.
    public fileprivate(set) var note: String?
    /// The id of the note that was made with the entry or from its text; `nil` without a note.
    public fileprivate(set) var noteID: ResourceID?
    /// The device that recorded the entry; 1 to 100 characters.
    public private(set) var device: String?
    /// The time by the device's clock, but no later than the receipt.
    public private(set) var happenedAt = Instant(milliseconds: 0)
    /// The time by the server's clock.
    public private(set) var receivedAt = Instant(milliseconds: 0)

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(
        id: ResourceID, reading: RowReference, readerKey: Int64, _ resolved: ResolvedPosition, _ scaled: ScaledPosition,
        note: String?, device: String?, happenedAt: Instant?, receivedAt: Instant
    ) {
        self.init(CommonResourceFields(id: id))
        (self.reading, readingKey) = reading
        self.readerKey = readerKey
        (progress, page, position) = (resolved.share, resolved.page, resolved.position)
        self.scaled = scaled
        self.note = note
        self.device = device
        self.happenedAt = min(happenedAt ?? receivedAt, receivedAt)
        self.receivedAt = receivedAt
    }

    /// The entry's own text, or `nil` if it has a note.
    fileprivate var ownText: String? { noteID == nil ? note : nil }

    /// Shows a note's text and id, or removes them.
    public mutating func show(_ note: Note?) { (self.note, noteID) = (note?.text, note?.id) }
}

extension ResourceField<Entry> {
    /// The field of the text, which is stored either in the entry's row or in its note's, never in both.
    fileprivate static var entryNote: ResourceField {
        let own = DatabaseColumn<Entry>("note", .fixed, isRead: false, { $0.ownText }, { $0.note = $1 })
        let shown = DatabaseColumn<Entry>(
            """
            CASE WHEN entries.note_id IS NULL THEN entries.note ELSE (
                SELECT ifnull(nullif(notes.body, ''), notes.quote) FROM notes WHERE notes.id = entries.note_id) END
            """, .joined, { $0.note }, { $0.note = $1 })
        // An export's record leaves the text to the record of the note.
        return ResourceField("note", [own, shown], { $0.note }, { if $1 != nil || $0.noteID == nil { $0.note = $1 } })
    }
}
