import Model
import Synchronization

/// Stream tickets: short-lived stand-ins for a token. They live in memory only and may be used again until they end.
final class Tickets: Sendable {
    /// How long a ticket holds.
    static let secondsMax: Int64 = 60
    /// Tickets of one reader that live at once; the oldest of the same reader gives way.
    static let perReaderMax = 100
    /// Tickets of all that live at once; one more is refused.
    static let countMax = 100_000

    private struct Ticket {
        let viewer: Viewer
        let expiry: Instant
    }

    private struct State {
        var tickets: [String: Ticket] = [:]
        /// The tickets of each reader, oldest first.
        var readers: [Int64: [String]] = [:]

        mutating func remove(where isGone: (Ticket) -> Bool) {
            let gone = tickets.filter { isGone($0.value) }
            for (text, ticket) in gone {
                tickets[text] = nil
                readers[ticket.viewer.readerKey]?.removeAll { $0 == text }
                if readers[ticket.viewer.readerKey]?.isEmpty ?? false { readers[ticket.viewer.readerKey] = nil }
            }
        }
    }

    private let state = Mutex(State())

    func issue(to viewer: Viewer, now: Instant) throws(LecternError) -> (ticket: String, expiry: Instant) {
        let text = String(TokenSecret().text.dropFirst("lectern_".count))
        let longest = now.adding(seconds: Self.secondsMax)
        // It stands in for the token, so it ends with it at the latest.
        let expiry = viewer.expiresAt.map { min($0, longest) } ?? longest
        let isIssued = state.withLock { state in
            var own = state.readers[viewer.readerKey] ?? []
            if own.count >= Self.perReaderMax { state.tickets[own.removeFirst()] = nil }
            if state.tickets.count >= Self.countMax { state.remove { $0.expiry <= now } }
            guard state.tickets.count < Self.countMax else { return false }
            own.append(text)
            state.readers[viewer.readerKey] = own
            state.tickets[text] = Ticket(viewer: viewer, expiry: expiry)
            return true
        }
        guard isIssued else {
            throw .tooManyRequests(
                limit: "ticketsMax", max: Self.countMax, "Too many tickets are open, those of others among them.",
                retryAfterSeconds: Int(Self.secondsMax))
        }
        return (text, expiry)
    }

    func holder(of ticket: String, now: Instant) -> Viewer? {
        state.withLock { state in
            guard let found = state.tickets[ticket], found.expiry > now else { return nil }
            return found.viewer
        }
    }

    /// Ends the tickets of tokens that were revoked.
    func revoke(token: ResourceID) { state.withLock { state in state.remove { $0.viewer.token == token } } }
}
