import Measures
import Model
import Synchronization

/// The readers who are reading now. Presence exists only in memory, as long as an open stream or occasional requests
/// renew it. After a restart the clients announce it again.
///
/// Shared by all event loops. Each loop asks once a second for the clubs whose views need a new snapshot.
final class PresenceTracker: Sendable {
    /// The default duration of a lease, in milliseconds.
    static let leaseMilliseconds: Int64 = 60_000
    /// The maximum number of present members, counted in each of their clubs.
    static let presentMax = 100_000
    /// The maximum number of members listed for one club.
    static let listedMax = 100

    private let state: Mutex<PresenceState>
    private let leaseMilliseconds: Int64
    private let clock: @Sendable () -> Int64

    /// Creates the state. `clock` returns monotonic milliseconds.
    init(
        loops: Int, leaseMilliseconds: Int64 = PresenceTracker.leaseMilliseconds,
        clock: @escaping @Sendable () -> Int64 = MonotonicClock.now
    ) {
        self.leaseMilliseconds = leaseMilliseconds
        self.clock = clock
        state = Mutex(PresenceState(loops: loops))
    }

    /// The interval between renewals of streams' leases, several of which fit in a lease.
    var renewalSeconds: UInt64 { UInt64(max(1, leaseMilliseconds / 4000)) }

    var isEmpty: Bool { state.withLock { $0.clubs.isEmpty } }

    // MARK: Signs

    /// Announces a reader in these clubs. Returns the duration of the lease in milliseconds, or `nil` if the maximum
    /// number of present members is reached.
    @discardableResult
    func announce(
        _ signal: PresenceSignal, _ viewer: Viewer, at presenceContexts: [PresenceClubContext], now: Instant = .now
    )
        -> Int64?
    {
        // A token that is valid for years counts as one without end, which avoids an overflow.
        let left = viewer.endsAt.map { min(max(0, $0.milliseconds - now.milliseconds), 1 << 50) } ?? 1 << 50
        let (milliseconds, start) = (min(leaseMilliseconds, left), clock())
        let isNoted = state.withLock { state in
            for place in presenceContexts {
                guard state.announce(signal, viewer, at: place, since: now, start + milliseconds, latest: start + left)
                else { return false }
            }
            if case .stream(let owner) = signal {
                state.follow(owner, of: viewer.readerKey, Set(presenceContexts.map(\.member.clubKey)))
            }
            return true
        }
        return isNoted ? milliseconds : nil
    }

    /// Renews the leases of streams whose clients were heard this many milliseconds ago.
    func renew(_ acknowledged: [(owner: UInt64, milliseconds: Int64)]) {
        let now = clock()
        state.withLock { state in
            for (owner, milliseconds) in acknowledged {
                state.renew(owner, until: now - milliseconds + leaseMilliseconds)
            }
        }
    }

    /// Records the end of a stream. Its lease expires later.
    func leave(_ owner: UInt64) { state.withLock { $0.leave(owner) } }

    /// Ends a reader's presence in a club, as they asked for.
    func end(_ reader: Int64, in club: Int64) { state.withLock { $0.end(reader, in: club) { _ in true } } }

    /// Removes expired leases.
    func sweep() {
        let now = clock()
        state.withLock { $0.sweep(now) }
    }

    // MARK: Reads

    /// Returns the number of visible members in a club, and the first of them.
    func look(into club: Int64) -> (count: Int, first: [PresentMember.SharedPresence]) {
        state.withLock { $0.clubs[club]?.present(max: Self.listedMax) } ?? (0, [])
    }

    /// Returns the clubs whose visible members have changed since the loop's last call.
    func takeChanged(loop: Int) -> Set<Int64> {
        state.withLock { state in
            defer { state.changed[loop].removeAll() }
            return state.changed[loop]
        }
    }

    // MARK: Commits

    /// Applies a commit to the presence. Every loop calls it, because each may have announced something that it had
    /// read before it received the commit.
    func receive(_ commit: Commit) {
        for change in commit.changes {
            switch (change.kind, change.operation) {
            case (.reader, .updated), (.settings, .updated), (.member, .updated), (.member, .deleted),
                (.club, .deleted), (.token, .deleted), (.standing, .deleted):
                state.withLock { $0.receive(change) }
            default: break
            }
        }
    }
}

/// A club of a reader, and the book that they read there.
struct PresenceClubContext {
    let member: Member
    var book: ResourceID?
    let isOfReading: Bool
    /// The `seq` of the log's last change when this was read.
    let asOf: Int64
}
