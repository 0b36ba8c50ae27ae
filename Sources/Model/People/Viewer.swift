/// The reader and the token on whose behalf a request is made. It is a class because all streams of a token share it.
public final class Viewer: Sendable {
    /// The id of the reader.
    public let reader: ResourceID
    /// The key of the reader's row.
    public let readerKey: Int64
    /// The role of the reader.
    public let role: ReaderRole
    /// The access that the token gives.
    public let access: Token.Access
    /// The token, or `nil` over the local socket.
    public let token: ResourceID?
    /// The token's own expiry; `nil` for a session, and for a token without one.
    public let expiresAt: Instant?
    /// The end of a session, a year after the sign-in, or `nil` if the token is not a session.
    public let sessionEndsAt: Instant?
    /// A Boolean value indicating whether the reader is suspended.
    public let isSuspended: Bool

    /// Creates a viewer.
    public init(
        reader: ResourceID, readerKey: Int64, role: ReaderRole, access: Token.Access, token: ResourceID?,
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

    /// The viewer of a request without a token, and of the server's own commands.
    public static let nobody = Viewer(
        reader: .zero, readerKey: 0, role: .reader, access: .read, token: nil, expiresAt: nil)

    /// The time from which requests are refused and streams end, or `nil` for never.
    public var endsAt: Instant? { expiresAt ?? sessionEndsAt }

    /// The scope of the viewer's private resources.
    public var scope: ChangeScope { .reader(key: readerKey) }

    /// Returns whether the viewer may see resources of a scope that is not a club's. For a club, the membership
    /// decides.
    public func maySee(_ scope: ChangeScope) -> Bool { scope == .everyone || scope == self.scope }

    /// Throws unless the viewer is an administrator.
    public func demandAdministrator() throws(RequestError) {
        guard role == .administrator else { throw .administratorsOnly }
    }

    /// Returns whether the viewer may receive a change of a scope to which they listen. Club membership and the
    /// moderator's role need no check: when these end, listening ends.
    public func mayReceive(_ scope: ChangeScope) -> Bool {
        guard scope.club != nil else { return maySee(scope) }
        return scope.reader == 0 || scope.isForRole || scope.reader == readerKey
    }
}

extension RequestError {
    /// The refusal of a request that only administrators may send.
    public static let administratorsOnly = RequestError.refused(
        .administratorsOnly,
        "Only an administrator may do this, and your account is not one. Ask an administrator.")
}
