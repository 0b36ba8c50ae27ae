import HTTPServer
import Model
import Synchronization

/// The times until which streams can be reopened, and the connection of each open stream. A restart begins all leases
/// anew, because no client could return before it.
final class StreamLeases: Sendable {
    private struct Lease {
        var seconds: Int32
        /// The end of the lease, unless a connection has the stream open.
        var end: ContinuousClock.Instant
        /// The connection that has the stream open.
        var open: (connection: ConnectionID, streams: OpenStreams)?
    }

    private let leases = Mutex<[ResourceID: Lease]>([:])

    /// Creates leases of the stored streams.
    init(_ known: [(stream: ResourceID, seconds: Int32)]) {
        leases.withLock { leases in
            for (stream, seconds) in known { leases[stream] = Lease(seconds: seconds, end: .now + .seconds(seconds)) }
        }
    }

    /// Records that a stream was created, changed or deleted. Called on each loop; the first call counts.
    func receive(_ change: StreamRowChange) {
        leases.withLock { leases in
            guard let stream = change.value else {
                leases[change.stream] = nil
                return
            }
            leases[stream.id, default: Lease(seconds: 0, end: .now + .seconds(stream.lease))].seconds = stream.lease
        }
    }

    /// Returns whether a stream can be opened now.
    func holds(_ stream: ResourceID) -> Bool {
        leases.withLock { $0[stream].map { $0.open != nil || $0.end > .now } ?? false }
    }

    /// Records the connection that opened a stream, and closes its former connection.
    func enter(_ stream: ResourceID, _ connection: ConnectionID, _ streams: OpenStreams) {
        let former = leases.withLock { leases -> (connection: ConnectionID, streams: OpenStreams)? in
            guard let lease = leases[stream] else { return nil }
            leases[stream]?.open = (connection, streams)
            return lease.open
        }
        if let former { former.streams.loop.execute { former.streams.endForTakeover(former.connection) } }
    }

    /// Records that a stream's connection has closed.
    func leave(_ stream: ResourceID, _ connection: ConnectionID) {
        leases.withLock { leases in
            guard let lease = leases[stream], lease.open?.connection == connection else { return }
            leases[stream]?.open = nil
            leases[stream]?.end = .now + .seconds(lease.seconds)
        }
    }

    /// Returns the streams whose lease is over.
    func over() -> [ResourceID] {
        let now = ContinuousClock.now
        return leases.withLock { $0.filter { $0.value.open == nil && $0.value.end <= now }.map(\.key) }
    }
}
