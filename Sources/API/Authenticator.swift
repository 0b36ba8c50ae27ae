import HTTPServer
import Model
import Store

/// Tells on whose behalf a request comes. Confined to one event loop, which hears of every commit: what it remembers is
/// forgotten as soon as a token or a reader changes.
final class Authenticator {
    private final class Known {
        let viewer: Viewer
        let allowance: Allowance?
        let isSession: Bool
        var lastUsedDay: Int64?

        init(_ token: KnownToken, _ allowance: Allowance?) {
            (viewer, self.allowance) = (token.viewer, allowance)
            (isSession, lastUsedDay) = (token.isSession, token.lastUsedDay)
        }
    }

    /// Tokens that are remembered; one more, and the memory starts anew.
    static let knownMax = 10_000

    private let reads: ReadConnection
    private let accounts: Accounts
    private let allowances: Allowances
    private var known: [Digest: Known] = [:]
    /// What the viewer who was told last may still do; nil for who has no limits.
    private(set) var allowance: Allowance?

    /// Called when a token is used for the first time on a day.
    var onFirstUse: ((ResourceID, Int64) -> Void)?

    /// Days that a session may rest before it ends.
    static let idleDaysMax: Int64 = 90

    init(reads: ReadConnection, _ accounts: Accounts, _ allowances: Allowances) {
        (self.reads, self.accounts, self.allowances) = (reads, accounts, allowances)
    }

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
        if case .unix = request.transport {
            allowance = nil
            return try localAdministrator()
        }
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
        var changed: Set<ResourceID> = []
        // What is new nobody remembers: who makes many tokens makes nobody's look-up slower.
        for change in commit.changes where change.operation != .created || change.kind == .suspension {
            if [.token, .reader, .suspension].contains(change.kind) { changed.insert(change.id) }
        }
        guard !changed.isEmpty else { return }
        for (digest, entry) in known
        where changed.contains(entry.viewer.reader) || entry.viewer.token.map(changed.contains) ?? false {
            known[digest] = nil
        }
    }

    private func viewer(_ digest: Digest, now: Instant, isByCookie: Bool = false) throws(LecternError) -> Viewer {
        var found = known[digest]
        if found == nil { found = try remember(digest) }
        guard let entry = found, entry.isSession || !isByCookie else {
            throw .refused(.tokenUnknown, "The token is not known, or was revoked.")
        }
        if entry.viewer.isSuspended { throw .readerSuspended }
        if let expiry = entry.viewer.expiresAt, now >= expiry {
            throw .refused(.tokenExpired, "The token expired at \(expiry).")
        }
        if let id = entry.viewer.token, entry.lastUsedDay.map({ $0 < now.day }) ?? true {
            if entry.isSession, let last = entry.lastUsedDay, now.day - last > Self.idleDaysMax {
                throw .refused(.tokenExpired, "The session was not used for \(Self.idleDaysMax) days. Sign in again.")
            }
            entry.lastUsedDay = now.day
            onFirstUse?(id, now.day)
        }
        allowance = entry.allowance
        return entry.viewer
    }

    private func remember(_ digest: Digest) throws(LecternError) -> Known? {
        guard let found = try reads.viewer(tokenDigest: digest) else { return nil }
        if known.count >= Self.knownMax { known.removeAll(keepingCapacity: true) }
        let allowance = allowances.of(found.viewer, at: MonotonicClock.nanoseconds())
        let entry = Known(found, allowance)
        known[digest] = entry
        return entry
    }

    private func localAdministrator() throws(LecternError) -> Viewer {
        guard let viewer = try reads.localAdministrator() else {
            throw .unavailable(.notReady, "The service has no administrator yet.", retryAfterSeconds: 1)
        }
        return viewer
    }
}
