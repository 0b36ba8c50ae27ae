import HTTPServer
import Measures
import Model
import Store

/// Finds the viewer of a request. Confined to one event loop, which receives every commit: a cached token is removed as
/// soon as the token or its reader changes.
final class Authenticator {
    /// The viewer and rate limits of a token.
    final class Caller {
        let viewer: Viewer
        /// The rate limits, or `nil` if the caller is exempt.
        let callerLimits: CallerTokenBuckets?
        fileprivate let isSession: Bool
        fileprivate var lastUsedDay: Int64?

        /// Creates the caller with a token, or without one for a process of this user on the local socket.
        fileprivate init(_ viewer: Viewer, _ token: KnownToken? = nil, _ callerLimits: CallerTokenBuckets? = nil) {
            (self.viewer, self.callerLimits) = (viewer, callerLimits)
            (isSession, lastUsedDay) = (token?.isSession ?? false, token?.lastUsedDay)
        }
    }

    /// The maximum number of cached tokens. One more, and the cache starts empty.
    static let knownMax = 10_000

    private let reads: ReadConnection
    private let accounts: AccountService
    private let callerLimitTable: CallerTokenBucketTable
    private var known: [TokenBuffer: Caller] = [:]

    /// Called with a token and a day when the token is first used on that day.
    var onFirstUse: ((ResourceID, Int64) -> Void)?

    /// The number of days without use after which a session ends.
    static let idleDaysMax: Int64 = 90

    init(reads: ReadConnection, _ accounts: AccountService, _ callerLimitTable: CallerTokenBucketTable) {
        (self.reads, self.accounts, self.callerLimitTable) = (reads, accounts, callerLimitTable)
    }

    /// Returns the caller of a request by its bearer token, by the local socket, or by a browser's session cookie. They
    /// are tried in this order, so that a page can send a token of its own.
    func caller(
        _ request: borrowing Request, now: Instant, _ trace: inout RequestTrace
    ) throws(RequestError) -> Caller {
        if let field = request.field("authorization") {
            try request.demandOnce("authorization")
            guard let token = AuthorizationField.bearer(field) else {
                throw .refused(
                    .malformedAuthorization, "The Authorization field must be: Bearer, a space, and a token.")
            }
            return try caller(token, now: now)
        }
        if case .unix = request.transport {
            return Caller(try localAdministrator())
        }
        if request.field("cookie") != nil, let secret = accounts.cookie?.secret(in: request) {
            trace.isByCookie = true
            try accounts.demandOwnPage(request)
            return try caller(secret.span.bytes, now: now, isByCookie: true)
        }
        throw .refused(
            .tokenMissing,
            "This needs a token: send Authorization: Bearer TOKEN. `lectern token create --name NAME` makes one.")
    }

    /// Returns the reader of a request whose token is cached. Reads no database and refuses no request.
    func rememberedReader(of request: borrowing Request) -> ResourceID? {
        if let field = request.field("authorization") {
            guard let token = AuthorizationField.bearer(field) else { return nil }
            return TokenBuffer(token).flatMap { known[$0] }?.viewer.reader
        }
        guard request.field("cookie") != nil, let secret = accounts.cookie?.secret(in: request) else { return nil }
        return TokenBuffer(secret.span.bytes).flatMap { known[$0] }?.viewer.reader
    }

    /// Removes cached tokens that a commit may have changed.
    func receive(_ commit: Commit) {
        guard !known.isEmpty else { return }
        var changed: Set<ResourceID> = []
        // Created tokens are not cached yet. Skipping them keeps other look-ups fast while a reader creates many.
        for change in commit.changes where change.operation != .created {
            if [.token, .reader].contains(change.kind) { changed.insert(change.id) }
        }
        guard !changed.isEmpty else { return }
        for (text, caller) in known
        where changed.contains(caller.viewer.reader) || caller.viewer.token.map(changed.contains) ?? false {
            known[text] = nil
        }
    }

    private func caller(_ secret: RawSpan, now: Instant, isByCookie: Bool = false) throws(RequestError) -> Caller {
        let text = TokenBuffer(secret)
        var found = text.flatMap { known[$0] }
        if found == nil { found = try remember(secret, as: text) }
        guard let caller = found, caller.isSession || !isByCookie else {
            throw .refused(.tokenUnknown, "The token is unknown or was revoked. Sign in again, or use another token.")
        }
        if caller.viewer.isSuspended { throw .readerSuspended }
        if let end = caller.viewer.endsAt, now >= end {
            throw .refused(
                .tokenExpired,
                caller.isSession
                    ? "The session ended a year after the sign-in. Sign in again." : "The token expired at \(end).")
        }
        if let id = caller.viewer.token, caller.lastUsedDay.map({ $0 < now.day }) ?? true {
            if caller.isSession, let last = caller.lastUsedDay, now.day - last > Self.idleDaysMax {
                throw .refused(.tokenExpired, "The session was not used for \(Self.idleDaysMax) days. Sign in again.")
            }
            caller.lastUsedDay = now.day
            onFirstUse?(id, now.day)
        }
        return caller
    }

    /// Reads a token that is not cached. Tokens chosen by an operator that are longer than Lectern's own are never
    /// cached.
    private func remember(_ secret: RawSpan, as text: TokenBuffer?) throws(RequestError) -> Caller? {
        guard let found = try reads.viewer(tokenDigest: SHA256.digest(of: secret)) else { return nil }
        let caller = Caller(found.viewer, found, callerLimitTable.of(found.viewer, at: MonotonicClock.nanoseconds()))
        guard let text else { return caller }
        if known.count >= Self.knownMax { known.removeAll(keepingCapacity: true) }
        known[text] = caller
        return caller
    }

    private func localAdministrator() throws(RequestError) -> Viewer {
        guard let viewer = try reads.localAdministrator() else {
            throw .unavailable(
                .notReady, "The server has no administrator yet. Try again in a moment.", retryAfterSeconds: 1)
        }
        return viewer
    }
}
