/// On whose behalf a request is made.
public struct Viewer: Sendable, Hashable {
    /// The reader.
    public let reader: ResourceID
    /// The key of the reader's row.
    public let readerKey: Int64
    /// What the reader may do.
    public let role: Reader.Role
    /// What the token may do.
    public let access: Token.Access
    /// The token; nil over the local socket.
    public let token: ResourceID?
    /// From when on the token is refused, as who made it said; nil for a session, and for a token without an end.
    public let expiresAt: Instant?
    /// The end of a session, a year after the sign-in; nil for what is no session.
    public let sessionEndsAt: Instant?
    /// Whether the reader may not come in for now.
    public let isSuspended: Bool

    /// A viewer with all that decides what they may do.
    public init(
        reader: ResourceID, readerKey: Int64, role: Reader.Role, access: Token.Access, token: ResourceID?,
        expiresAt: Instant?, sessionEndsAt: Instant? = nil, isSuspended: Bool = false
    ) {
        self.reader = reader
        self.readerKey = readerKey
        self.role = role
        self.access = access
        self.token = token
        self.expiresAt = expiresAt
        self.sessionEndsAt = sessionEndsAt
        self.isSuspended = isSuspended
    }

    /// From when on requests are refused, and streams end; nil for never.
    public var endsAt: Instant? { expiresAt ?? sessionEndsAt }

    /// What is private to the viewer.
    public var scope: Scope { .reader(key: readerKey) }

    /// Whether the viewer may see what has that scope, where it is no club's: those the membership decides.
    public func maySee(_ scope: Scope) -> Bool { scope == .everyone || scope == self.scope }
}
