import Model
import Synchronization

/// Stream tickets: short-lived stand-ins for a token. They live in memory only and may be used again until they end.
final class Tickets: Sendable {
    /// How long a ticket holds.
    static let secondsMax: Int64 = 60
    /// Tickets that live at once; the oldest give way.
    static let countMax = 10_000

    private struct Ticket {
        let viewer: Viewer
        let expiry: Instant
    }

    private let tickets = Mutex<[String: Ticket]>([:])

    func issue(to viewer: Viewer, now: Instant) -> (ticket: String, expiry: Instant) {
        let text = String(TokenSecret().text.dropFirst("lectern_".count))
        let longest = now.adding(seconds: Self.secondsMax)
        // It stands in for the token, so it ends with it at the latest.
        let expiry = viewer.expiresAt.map { min($0, longest) } ?? longest
        tickets.withLock { tickets in
            if tickets.count >= Self.countMax { tickets = tickets.filter { $0.value.expiry > now } }
            if tickets.count >= Self.countMax { tickets.removeAll() }
            tickets[text] = Ticket(viewer: viewer, expiry: expiry)
        }
        return (text, expiry)
    }

    func holder(of ticket: String, now: Instant) -> Viewer? {
        tickets.withLock { tickets in
            guard let found = tickets[ticket], found.expiry > now else { return nil }
            return found.viewer
        }
    }

    /// Ends the tickets of tokens that were revoked.
    func revoke(token: ResourceID) {
        tickets.withLock { tickets in tickets = tickets.filter { $0.value.viewer.token != token } }
    }
}
