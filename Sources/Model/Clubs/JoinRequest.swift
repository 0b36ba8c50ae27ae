public import JSON

/// A reader's request to join a listed club.
public struct JoinRequest: Resource {
    public static let kind = ResourceKind.joinRequest
    public static let fields = ResourceFields<JoinRequest>([
        .link("club", { $0.club }, { $0.club = $1 }, key: { $0.clubKey }, { $0.clubKey = $1 }),
        .link("reader", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }),
        .fixed("name", { $0.name }, { $0.name = $1 }).required(),
        .fixed("message", { $0.message }, { $0.message = $1 }),
        ResourceField("state", { $0.state }, { $0.state = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// The reader's name.
    public private(set) var name = ""
    /// The message to the club, 1 to 1,000 characters.
    public private(set) var message: String?
    public var state = JoinRequestState.waiting

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(
        id: ResourceID, club: RowReference, reader: RowReference, name: String, message: String?, createdAt: Instant
    ) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.club, clubKey) = club
        (self.reader, readerKey) = reader
        self.name = name
        self.message = message
    }
}

/// The state of a request. The raw values are stored and sent.
public enum JoinRequestState: String, StorableValue, CaseIterable {
    case waiting
    case accepted
    case declined
}

/// The body of a request that asks to join a club.
public struct JoinRequestDraft: RequestBody {
    /// The listed club.
    public let club: ResourceID
    /// The message: see `JoinRequest.message`.
    public let message: String?

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        club = decoder.requiredID("club")
        message = decoder.string("message", length: 1...1000, multiline: true).value
    }
}

/// The body of a request that answers a join request.
public struct JoinRequestPatch: RequestBody {
    /// The new state, accepted or declined; `nil` leaves it waiting.
    public let state: JoinRequestState?

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        state = decoder.choice("state")
        if state == .waiting { decoder.refuse("state", "must be accepted or declined") }
    }
}
