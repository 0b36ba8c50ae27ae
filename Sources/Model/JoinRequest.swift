public import JSON

/// A reader asks a listed club to let them in.
public struct JoinRequest: Resource {
    /// Where it stands. The raw values are stored and sent.
    public enum State: String, Sendable, CaseIterable {
        case waiting
        case accepted
        case declined
    }

    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the club's row.
    public var clubKey: Int64
    /// The key of the row of the reader who asks.
    public var readerKey: Int64
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Which club.
    public let club: ResourceID
    /// Who asks.
    public let reader: ResourceID
    /// What the reader was called when they asked.
    public let name: String
    /// What they say; up to 1,000 characters.
    public let message: String?
    /// Where it stands.
    public var state = State.waiting
    /// When they asked.
    public var createdAt: Instant?
    /// When this last changed.
    public var updatedAt: Instant?

    /// A request that waits.
    public init(
        id: ResourceID, club: (id: ResourceID, key: Int64), reader: (id: ResourceID, key: Int64), name: String,
        message: String?, createdAt: Instant
    ) {
        self.id = id
        self.club = club.id
        clubKey = club.key
        self.reader = reader.id
        readerKey = reader.key
        self.name = name
        self.message = message
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.joinRequest`.
    public static let kind = ResourceKind.joinRequest

    /// The fields; only `state` changes.
    public static let fieldNames: [StaticString] = ["club", "reader", "name", "message", "state"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(club)
        case 1: json.id(reader)
        case 2: json.string(name)
        case 3: json.string(message)
        default: json.string(state.rawValue)
        }
    }
}

/// What a request says to ask a club.
public struct JoinRequestDraft: Sendable {
    /// See `JoinRequest.message`.
    public let message: String?

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var message: String?
        decoder.string("message", length: 1...1000, multiline: true).patch.apply(to: &message)
        self.message = message
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}

/// What a request says to answer one who asks.
public struct JoinRequestPatch: Sendable {
    /// Accepted or declined; nil leaves it waiting.
    public let state: JoinRequest.State?

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        let said: Patch<JoinRequest.State> = decoder.choice("state")
        var state: JoinRequest.State?
        said.apply(to: &state)
        if state == .waiting { decoder.refuse("state", "must be accepted or declined") }
        self.state = state
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}
