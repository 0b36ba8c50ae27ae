import HTTPServer
import Model
import Store

/// Tells on whose behalf a request comes. Confined to one event loop, which hears of every commit: what it remembers is
/// forgotten as soon as a token or a reader changes.
final class Authenticator {
    /// Tokens that are remembered; one more, and the memory starts anew.
    static let knownMax = 10_000

    private let reads: ReadConnection
    private let accounts: Accounts
    private var known: [Digest: KnownToken] = [:]

    /// Called when a token is used for the first time on a day.
    var onFirstUse: ((ResourceID, Int64) -> Void)?

    /// Days that a session may rest before it ends.
    static let idleDaysMax: Int64 = 90

    init(reads: ReadConnection, _ accounts: Accounts) { (self.reads, self.accounts) = (reads, accounts) }

    /// The viewer of a request with a bearer token, of a process of this user on the local socket, or of a browser with a session's
    /// cookie: in this order, so that a page can ask with a token of its own.
    func viewer(_ request: borrowing Request, now: Instant) throws(LecternError) -> Viewer {
        if let field = request.field("authorization") {
            try request.demandOnce("authorization")
            guard let token = Authorization.bearer(field) else {
                throw .refused(
                    .malformedAuthorization, "The Authorization field must say: Bearer, a space, and a token.")
            }
            return try viewer(SHA256.digest(of: token), now: now)
        }
        if case .unix = request.transport { return try localAdministrator() }
        if request.field("cookie") != nil, let secret = accounts.cookie?.secret(in: request) {
            try accounts.demandOwnPage(request)
            return try viewer(SHA256.digest(of: secret), now: now, isByCookie: true)
        }
        throw .refused(
            .tokenMissing,
            "This needs a token: send Authorization: Bearer TOKEN. `lectern token create --name NAME` makes one.")
    }

    /// Forgets what a commit may have changed.
    func hear(_ commit: Commit) {
        guard !known.isEmpty else { return }
        for change in commit.changes where change.kind == .token || change.kind == .reader {
            known.removeAll(keepingCapacity: true)
            return
        }
    }

    private func viewer(_ digest: Digest, now: Instant, isByCookie: Bool = false) throws(LecternError) -> Viewer {
        if known[digest] == nil { try remember(digest) }
        guard let entry = known[digest], entry.isSession || !isByCookie else {
            throw .refused(.tokenUnknown, "The token is not known, or was revoked.")
        }
        if let expiry = entry.viewer.expiresAt, now >= expiry {
            throw .refused(.tokenExpired, "The token expired at \(expiry).")
        }
        if let id = entry.viewer.token, entry.lastUsedDay.map({ $0 < now.day }) ?? true {
            if entry.isSession, let last = entry.lastUsedDay, now.day - last > Self.idleDaysMax {
                throw .refused(.tokenExpired, "The session was not used for \(Self.idleDaysMax) days. Sign in again.")
            }
            known[digest]?.lastUsedDay = now.day
            onFirstUse?(id, now.day)
        }
        return entry.viewer
    }

    private func remember(_ digest: Digest) throws(LecternError) {
        guard let found = try reads.viewer(tokenDigest: digest) else { return }
        if known.count >= Self.knownMax { known.removeAll(keepingCapacity: true) }
        known[digest] = found
    }

    private func localAdministrator() throws(LecternError) -> Viewer {
        guard let viewer = try reads.localAdministrator() else {
            throw .unavailable(.notReady, "The service has no administrator yet.", retryAfterSeconds: 1)
        }
        return viewer
    }
}
