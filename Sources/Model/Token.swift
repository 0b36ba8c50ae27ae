public import JSON

/// What lets a request act as a reader. The secret itself is shown once and stored only as its SHA-256.
public struct Token: Resource {
    /// What requests with the token may do. The raw values are stored and sent.
    public enum Access: String, Sendable, CaseIterable {
        case read
        case write
    }

    /// The row's key; 0 before it is stored.
    public var key: Int64 = 0
    /// The key of the reader's row.
    public var readerKey: Int64
    /// Of a new one the digest of its secret, which is stored and never read back.
    public var digest: Digest?
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its making.
    public var version: Int64 = 0
    /// Whose it is.
    public let reader: ResourceID
    /// 1 to 100 characters.
    public let name: String
    /// What it may do.
    public let access: Access
    /// From when on it is refused; nil for never.
    public let expiresAt: Instant?
    /// The day of its last use, in days since 1970-01-01; kept without a change, so at most once a day.
    public var lastUsedDay: Int64?
    /// When it was made.
    public var createdAt: Instant?
    /// Never: a token does not change.
    public var updatedAt: Instant?

    /// A token that has not been used yet.
    public init(
        id: ResourceID, reader: (id: ResourceID, key: Int64), name: String, access: Access, expiresAt: Instant?,
        createdAt: Instant
    ) {
        self.id = id
        self.reader = reader.id
        readerKey = reader.key
        self.name = name
        self.access = access
        self.expiresAt = expiresAt
        self.createdAt = createdAt
    }

    /// See `ResourceKind.token`.
    public static let kind = ResourceKind.token

    /// The fields; none of them makes an event by changing.
    public static let fieldNames: [StaticString] = ["reader", "name", "scope", "expiresAt", "lastUsedOn"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(reader)
        case 1: json.string(name)
        case 2: json.string(access.rawValue)
        case 3: json.instant(expiresAt)
        default: json.day(lastUsedDay)
        }
    }
}

/// What a request says of a new token.
public struct TokenDraft: Sendable {
    /// See `Token.name`.
    public let name: String
    /// See `Token.access`; write unless said otherwise.
    public let access: Token.Access
    /// See `Token.expiresAt`.
    public let expiresAt: Instant?
    /// For whom; nil means for the reader who asks.
    public let reader: ResourceID?

    /// A token to write with, for the reader who asks, without an end.
    public init(name: String) {
        self.name = name
        access = .write
        expiresAt = nil
        reader = nil
    }

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, now: Instant) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var name = ""
        decoder.required("name", decoder.string("name", length: 1...100), .whole).apply(to: &name)
        var access = Access.write
        let choice: Patch<Access> = decoder.choice("scope")
        choice.apply(to: &access)
        expiresAt = Self.expiry(&decoder, now)
        reader = decoder.id("reader")
        self.name = name
        self.access = access
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }

    private typealias Access = Token.Access

    private static func expiry(_ decoder: inout ObjectDecoder, _ now: Instant) -> Instant? {
        guard case .value(let text) = decoder.string("expiresAt", length: 1...40) else { return nil }
        guard let instant = Instant(text), instant > now else {
            decoder.refuse("expiresAt", "must be an RFC 3339 date-time in the future")
            return nil
        }
        return instant
    }
}

extension ObjectDecoder {
    /// A member that is a resource's id; nil when it is absent, null or refused.
    public mutating func id(_ name: StaticString) -> ResourceID? {
        guard case .value(let text) = string(name, length: 1...64) else { return nil }
        guard let id = ResourceID(text) else {
            refuse(name, "must be a UUID")
            return nil
        }
        return id
    }
}
