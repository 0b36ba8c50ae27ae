import HTTPServer
import Model
import Synchronization

/// Who reads now. It is known to the process only, for as long as something says so: an open stream, or a request now and then.
/// Nothing of it is written; after a restart whoever is there says so again.
///
/// Shared by all event loops. Each is told which clubs' views are to be made anew, once a second.
final class Presence: Sendable {
    /// How long a sign of life holds.
    static let leaseMilliseconds: Int64 = 60_000
    /// Members of clubs that are known to be there at once, counted in each of their clubs.
    static let presentMax = 100_000
    /// Members that are listed of one club.
    static let listedMax = 100

    /// A club that a reader is in, and what they read there.
    struct Place {
        let member: Member
        let book: ResourceID?
        let isOfReading: Bool
        /// The `seq` of the log's last change when that was read.
        let asOf: Int64
    }

    private let state: Mutex<PresenceState>
    private let leaseMilliseconds: Int64
    private let clock: @Sendable () -> Int64
    /// How many there are: mostly nobody, and then no commit asks for the lock.
    private let count = Atomic<Int>(0)

    /// `clock` gives monotonic milliseconds.
    init(
        loops: Int, leaseMilliseconds: Int64 = Presence.leaseMilliseconds,
        clock: @escaping @Sendable () -> Int64 = MonotonicClock.now
    ) {
        self.leaseMilliseconds = leaseMilliseconds
        self.clock = clock
        state = Mutex(PresenceState(loops: loops))
    }

    /// How often streams are looked after, several times within a lease.
    var renewalSeconds: UInt64 { UInt64(max(1, leaseMilliseconds / 4000)) }

    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    private func change<Result: Sendable>(_ body: (inout PresenceState) -> Result) -> Result {
        state.withLock { state in
            defer { count.store(state.count, ordering: .relaxed) }
            return body(&state)
        }
    }

    // MARK: Signs

    /// Somebody is there, in these clubs. Returns until when, if nothing more is heard of them; nil when there is no room.
    @discardableResult
    func announce(_ sign: Present.Sign, _ viewer: Viewer, at places: [Place], now: Instant = .now) -> Int64? {
        // Years of a token are as good as none, and end in no overflow.
        let left = viewer.endsAt.map { min(max(0, $0.milliseconds - now.milliseconds), 1 << 50) } ?? 1 << 50
        let (milliseconds, start) = (min(leaseMilliseconds, left), clock())
        let isNoted = change { state in
            for place in places {
                guard state.announce(sign, viewer, at: place, since: now, start + milliseconds, latest: start + left)
                else { return false }
            }
            if case .stream(let owner) = sign {
                state.follow(owner, of: viewer.readerKey, Set(places.map(\.member.clubKey)))
            }
            return true
        }
        return isNoted ? milliseconds : nil
    }

    /// So many milliseconds ago these streams' clients were heard.
    func renew(_ heard: [(owner: UInt64, milliseconds: Int64)]) {
        let now = clock()
        change { state in
            for (owner, milliseconds) in heard {
                state.renew(.stream(owner), until: now - milliseconds + leaseMilliseconds)
            }
        }
    }

    /// A stream has ended: its lease runs out.
    func leave(_ owner: UInt64) {
        if isEmpty { return }
        change { $0.leave(.stream(owner)) }
    }

    /// A reader says that they are not there.
    func end(_ reader: Int64, in club: Int64) { change { $0.end(reader, in: club) { _ in true } } }

    /// Lets go of those of whom nothing has been heard.
    func sweep() {
        if isEmpty { return }
        let now = clock()
        change { $0.sweep(now) }
    }

    // MARK: Looking

    /// How many there are to see in a club, and the first of them.
    func look(into club: Int64) -> (count: Int, first: [Present.Shown]) {
        state.withLock { $0.rooms[club]?.look(max: Self.listedMax) } ?? (0, [])
    }

    /// The clubs in which others are to be seen since a loop asked last.
    func takeChanged(loop: Int) -> Set<Int64> {
        state.withLock { state in
            defer { state.changed[loop].removeAll() }
            return state.changed[loop]
        }
    }

    // MARK: Commits

    /// Forgets, and corrects, what a commit has made another. Every loop calls it, for each may have noted something that it had read
    /// before it heard of the commit.
    func hear(_ commit: Commit) {
        if isEmpty { return }
        for change in commit.changes {
            switch (change.kind, change.operation) {
            case (.settings, .updated), (.member, .updated), (.member, .deleted), (.club, .deleted), (.token, .deleted),
                (.standing, .deleted):
                self.change { $0.hear(change) }
            default: break
            }
        }
    }
}
