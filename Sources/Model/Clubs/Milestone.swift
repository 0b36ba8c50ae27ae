public import JSON

/// A position in the book of a run, and the time by which the members want to have read up to it.
public struct Milestone: Resource {
    public static let kind = ResourceKind.milestone
    public static let fields = ResourceFields<Milestone>([
        .joined("club", from: "clubs.id", { $0.club }, { $0.club = $1 }),
        .joined("book", from: "books.id", { $0.book }, { $0.book = $1 }),
        .link("run", { $0.run }, { $0.run = $1 }, key: { $0.runKey }, { $0.runKey = $1 }),
        ResourceField("name", .text(1...200), { $0.name }, { $0.name = $1 }),
        ResourceField("progress", { $0.progress }, { $0.progress = $1 }),
        ResourceField("page", { $0.page }, { $0.page = $1 }),
        ResourceField("dueAt", .instant, { $0.dueAt }, { $0.dueAt = $1 }),
        ResourceField("isDue", { $0.isDue }, { $0.isDue = $1 }),
        .unsent("runs.club", .joined, { $0.clubKey }, { $0.clubKey = $1 }),
        .sparse("position", { $0.position }, { $0.position = $1 }),
    ])

    public var identity: CommonResourceFields
    public internal(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public internal(set) var book = ResourceID.zero
    public private(set) var run = ResourceID.zero
    public private(set) var runKey: Int64 = 0
    /// The name, such as a chapter's; 1 to 200 characters.
    public var name: String?
    public var progress = Progress.none
    /// The page at `progress`, where it is known.
    public var page: Int32?
    /// The position, as the client sent it.
    public var position: Position?
    public var dueAt = Instant(milliseconds: 0)
    /// A Boolean value indicating whether `dueAt` has passed. The clock sets it once, and only another `dueAt` resets
    /// it.
    public var isDue = false

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates a milestone without a name at the start of a run's book.
    public init(id: ResourceID, of run: ClubRun, dueAt: Instant, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (club, clubKey) = (run.club, run.clubKey)
        (book, self.run, runKey) = (run.book, run.id, run.key)
        self.dueAt = dueAt
        isDue = dueAt <= createdAt
    }
}

/// The body of a request that creates or changes a milestone.
public struct MilestonePatch: RequestBody {
    /// The run; a patch never contains one.
    public let run: RunReference
    public let fields: MergePatch<Milestone>
    /// The position.
    public let position: Position?

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        run = form == .whole ? RunReference(&decoder) : RunReference(run: nil, book: nil)
        fields = MergePatch(&decoder, form)
        position = decoder.required("position", decoder.position("position"), form)
    }
}
