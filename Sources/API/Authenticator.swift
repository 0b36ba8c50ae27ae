import HTTPServer
import Model
import Store

/// Tells on whose behalf a request comes. Confined to one event loop, which hears of every commit: what it remembers is
/// forgotten as soon as a token or a reader changes.
final class Authenticator {
    private struct Known {
        let viewer: Viewer
        var lastUsedDay: Int64?
    }

    /// Tokens that are remembered; one more, and the memory starts anew.
    static let knownMax = 10_000

    private let reads: ReadConnection
    private var known: [Digest: Known] = [:]

    /// Called when a token is used for the first time on a day.
    var onFirstUse: ((ResourceID, Int64) -> Void)?

    init(reads: ReadConnection) { self.reads = reads }

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
        if case .unix = request.transport { return try localAdministrator() }
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

    private func viewer(token: RawSpan, now: Instant) throws(LecternError) -> Viewer {
        let digest = SHA256.digest(of: token)
        if known[digest] == nil { try remember(digest) }
        guard let entry = known[digest] else {
            throw .refused(.tokenUnknown, "The token is not known, or was revoked.")
        }
        if let expiry = entry.viewer.expiresAt, now >= expiry {
            throw .refused(.tokenExpired, "The token expired at \(expiry).")
        }
        if let id = entry.viewer.token, entry.lastUsedDay.map({ $0 < now.day }) ?? true {
            known[digest]?.lastUsedDay = now.day
            onFirstUse?(id, now.day)
        }
        return entry.viewer
    }

    private func remember(_ digest: Digest) throws(LecternError) {
        guard let found = try reads.viewer(tokenDigest: digest) else { return }
        if known.count >= Self.knownMax { known.removeAll(keepingCapacity: true) }
        known[digest] = Known(viewer: found.viewer, lastUsedDay: found.lastUsedDay)
    }

    private func localAdministrator() throws(LecternError) -> Viewer {
        guard let viewer = try reads.localAdministrator() else {
            throw .unavailable(.notReady, "The service has no administrator yet.", retryAfterSeconds: 1)
        }
        return viewer
    }
}
