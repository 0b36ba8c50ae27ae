import HTTPServer
import Model
import Synchronization

/// How long streams, and tickets, can be opened again, and who has them open. A restart begins all leases anew: who comes back
/// cannot have come earlier.
final class Leases: Sendable {
    private struct Lease {
        var seconds: Int32
        let isTicket: Bool
        /// From when on it is over, while nobody has it open.
        var end: ContinuousClock.Instant
        /// Its connections, by their subscriptions' numbers.
        var open: [UInt64: Streams] = [:]
    }

    /// Seconds in which a new ticket must be used.
    static let ticketSecondsMax: Int64 = 60

    private let leases = Mutex<[ResourceID: Lease]>([:])

    /// Those of streams that are there.
    init(_ known: [(stream: ResourceID, isTicket: Bool, seconds: Int32)]) {
        leases.withLock { leases in
            for (stream, isTicket, seconds) in known {
                leases[stream] = Lease(seconds: seconds, isTicket: isTicket, end: .now + .seconds(seconds))
            }
        }
    }

    /// A stream was made, changed, or has ended. Heard on each loop, of which the first one counts.
    func hear(_ notice: StreamNotice) {
        leases.withLock { leases in
            guard let stream = notice.value else {
                leases[notice.stream] = nil
                return
            }
            if leases[stream.id] == nil {
                let first = stream.isTicket ? Self.ticketSecondsMax : Int64(stream.lease)
                leases[stream.id] = Lease(
                    seconds: stream.lease, isTicket: stream.isTicket, end: .now + .seconds(first))
            }
            leases[stream.id]?.seconds = stream.lease
        }
    }

    /// Seconds that it takes at most to open one.
    private static let openingSecondsMax: Int64 = 30

    /// Whether it can be opened now; then it is not over before it has been.
    func holds(_ stream: ResourceID) -> Bool {
        leases.withLock { leases in
            let now = ContinuousClock.now
            guard let lease = leases[stream], !lease.open.isEmpty || lease.end > now else { return false }
            leases[stream]?.end = max(lease.end, now + .seconds(Self.openingSecondsMax))
            return true
        }
    }

    /// A connection has it open from now on. A stream has one: all others give it up. A ticket may have several.
    func enter(_ stream: ResourceID, _ owner: UInt64, _ streams: Streams) {
        let former = leases.withLock { leases -> [UInt64: Streams] in
            guard let lease = leases[stream] else { return [:] }
            leases[stream]?.open[owner] = streams
            guard !lease.isTicket else { return [:] }
            leases[stream]?.open = [owner: streams]
            return lease.open
        }
        for (owner, streams) in former { streams.loop.execute { streams.giveUp(owner) } }
    }

    /// A connection has gone.
    func leave(_ stream: ResourceID, _ owner: UInt64) {
        leases.withLock { leases in
            guard let lease = leases[stream], leases[stream]?.open.removeValue(forKey: owner) != nil else { return }
            leases[stream]?.end = .now + .seconds(lease.seconds)
        }
    }

    /// Those that are over.
    func over() -> [ResourceID] {
        let now = ContinuousClock.now
        return leases.withLock { $0.filter { $0.value.open.isEmpty && $0.value.end <= now }.map(\.key) }
    }
}
