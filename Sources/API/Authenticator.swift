import HTTPServer
import Model
import Store

/// Tells on whose behalf a request comes. Confined to one event loop, which hears of every commit: what it remembers is
/// forgotten as soon as a token or a reader changes.
final class Authenticator {
    private final class Known {
        let viewer: Viewer
        let allowance: Allowance?
        var lastUsedDay: Int64?

        init(_ viewer: Viewer, _ allowance: Allowance?, lastUsedDay: Int64?) {
            (self.viewer, self.allowance, self.lastUsedDay) = (viewer, allowance, lastUsedDay)
        }
    }

    /// Tokens that are remembered; one more, and the memory starts anew.
    static let knownMax = 10_000

    private let reads: ReadConnection
    private let allowances: Allowances
    private var known: [Digest: Known] = [:]
    /// What the viewer who was told last may still do; nil for who has no limits.
    private(set) var allowance: Allowance?

    /// Called when a token is used for the first time on a day.
    var onFirstUse: ((ResourceID, Int64) -> Void)?

    init(reads: ReadConnection, allowances: Allowances) {
        self.reads = reads
        self.allowances = allowances
    }

    /// The viewer of a request with a bearer token, or of a process of this user on the local socket.
    func viewer(_ request: borrowing Request, now: Instant) throws(LecternError) -> Viewer {
        if let field = request.field("authorization") {
            try request.demandOnce("authorization")
            guard let token = Authorization.bearer(field) else {
                throw .refused(
                    .malformedAuthorization, "The Authorization field must say: Bearer, a space, and a token.")
            }
            return try viewer(token: token, now: now)
        }
        if case .unix = request.transport {
            allowance = nil
            return try localAdministrator()
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
        for change in commit.changes where change.operation != .created {
            if change.kind == .token || change.kind == .reader { changed.insert(change.id) }
        }
        guard !changed.isEmpty else { return }
        for (digest, entry) in known
        where changed.contains(entry.viewer.reader) || entry.viewer.token.map(changed.contains) ?? false {
            known[digest] = nil
        }
    }

    private func viewer(token: RawSpan, now: Instant) throws(LecternError) -> Viewer {
        let digest = SHA256.digest(of: token)
        var found = known[digest]
        if found == nil { found = try remember(digest) }
        guard let entry = found else {
            throw .refused(.tokenUnknown, "The token is not known, or was revoked.")
        }
        if let expiry = entry.viewer.expiresAt, now >= expiry {
            throw .refused(.tokenExpired, "The token expired at \(expiry).")
        }
        if let id = entry.viewer.token, entry.lastUsedDay.map({ $0 < now.day }) ?? true {
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
        let entry = Known(found.viewer, allowance, lastUsedDay: found.lastUsedDay)
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
