import JSON
import Model

/// The state of `PresenceTracker`, protected by its lock.
struct PresenceState {
    /// The present members, by the keys of the clubs.
    var clubs: [Int64: ClubPresence] = [:]
    /// The clubs whose visible members have changed since a loop last asked, by the index of the loop.
    var changed: [Set<Int64>]
    /// The number of present members, counted in each of their clubs.
    private(set) var count = 0
    /// The reader of each open stream, and the clubs in which the stream announces that reader.
    private var streams: [UInt64: (reader: Int64, clubs: Set<Int64>)] = [:]
    private var lastNumber: UInt64 = 0
    /// A time before which no lease ends.
    private var earliest = Int64.max

    init(loops: Int) { changed = Array(repeating: [], count: loops) }

    /// Announces a reader in a club. Returns `false` if the maximum number of present members is reached.
    mutating func announce(
        _ signal: PresenceSignal, _ viewer: Viewer, at place: PresenceClubContext, since now: Instant, _ expiry: Int64,
        latest: Int64
    ) -> Bool {
        let (reader, club) = (viewer.readerKey, place.member.clubKey)
        guard count < PresenceTracker.presentMax || clubs[club]?[reader] != nil else { return false }
        lastNumber += 1
        let lease = PresenceLease(
            token: viewer.token, book: place.book, isOfReading: place.isOfReading, asOf: place.asOf,
            expiry: expiry, latest: latest, number: lastNumber)
        change(reader, in: club) { present in
            if present == nil { present = PresentMember(member: place.member, since: now) }
            present?.learn(place.member)
            present?.leases[signal] = lease
        }
        earliest = min(earliest, expiry)
        return true
    }

    /// Sets the clubs in which a stream announces its reader. Its leases in other clubs expire.
    mutating func follow(_ owner: UInt64, of reader: Int64, _ clubs: Set<Int64>) { streams[owner] = (reader, clubs) }

    mutating func renew(_ owner: UInt64, until expiry: Int64) {
        guard let (reader, clubs) = streams[owner] else { return }
        for club in clubs {
            change(reader, in: club) { present in
                guard let old = present?.leases[.stream(owner)] else { return }
                present?.leases[.stream(owner)]?.expiry = max(old.expiry, min(expiry, old.latest))
            }
        }
    }

    /// Records the end of a stream. Its lease joins those of other ended streams of its token, so that they do not
    /// accumulate.
    mutating func leave(_ owner: UInt64) {
        guard let (reader, clubs) = streams.removeValue(forKey: owner) else { return }
        for club in clubs {
            change(reader, in: club) { present in
                guard var lease = present?.leases.removeValue(forKey: .stream(owner)) else { return }
                let left = PresenceSignal.left(token: lease.token)
                lease.expiry = max(lease.expiry, present?.leases[left]?.expiry ?? 0)
                present?.leases[left] = lease
            }
        }
    }

    /// Ends the leases of a reader in a club that satisfy a predicate.
    mutating func end(_ reader: Int64, in club: Int64, where isMeant: (PresenceLease) -> Bool) {
        change(reader, in: club) { present in
            guard let leases = present?.leases else { return }
            present?.leases = leases.filter { !isMeant($0.value) }
        }
    }

    private mutating func end(where isMeant: (Int64, PresenceLease) -> Bool) {
        for (club, presence) in clubs {
            for (reader, present) in presence.members
            where present.leases.values.contains(where: { isMeant(reader, $0) }) {
                end(reader, in: club) { isMeant(reader, $0) }
            }
        }
    }

    mutating func sweep(_ now: Int64) {
        guard now >= earliest else { return }
        end { _, lease in lease.expiry <= now }
        earliest = .max
        for presence in clubs.values {
            for present in presence.members.values {
                for lease in present.leases.values { earliest = min(earliest, lease.expiry) }
            }
        }
    }

    // MARK: Commits

    mutating func receive(_ change: Change) {
        guard !clubs.isEmpty else { return }
        let (number, club) = (change.scope.number, change.scope.club)
        let shown = change.representation ?? change.representationBefore
        func isOlder(_ lease: PresenceLease) -> Bool { lease.asOf < change.seq }
        switch (change.kind, club) {
        case (.token, _): end { $1.token == change.id }
        case (.reader, _):
            // A request may have been admitted before the suspension, and have read after it.
            guard shown?["suspension"] != nil else { return }
            end { reader, _ in reader == number }
        case (.settings, _):
            guard shown?["presence"]?.bool == false else { return }
            end { reader, lease in reader == number && isOlder(lease) }
        case (.club, let club?):
            for reader in clubs[club]?.members.keys.map({ $0 }) ?? [] { end(reader, in: club, where: isOlder) }
        case (.member, let club?):
            guard let reader = key(of: shown?["reader"], in: club) else { return }
            if change.operation == .deleted { return end(reader, in: club, where: isOlder) }
            guard var member = shown.flatMap({ Member($0) }) else { return }
            member.version = change.seq
            self.change(reader, in: club) { $0?.learn(member) }
        case (.standing, let club?):
            guard let reader = key(of: shown?["reader"], in: club),
                let book = shown?["book"].flatMap({ ResourceID(json: $0) })
            else { return }
            end(reader, in: club) { $0.isOfReading && $0.book == book && isOlder($0) }
        default: break
        }
    }

    /// Returns the key of a present reader by their id.
    private func key(of reader: JSONValue?, in club: Int64) -> Int64? {
        guard let reader = reader.flatMap({ ResourceID(json: $0) }) else { return nil }
        return clubs[club]?.members.first { $0.value.member.reader == reader }?.key
    }

    /// Changes a reader's presence in a club, and updates the count and the changed clubs.
    private mutating func change(_ reader: Int64, in club: Int64, _ body: (inout PresentMember?) -> Void) {
        let before = clubs[club]?.members.count ?? 0
        if clubs[club, default: ClubPresence()].change(reader, body) {
            for loop in changed.indices { changed[loop].insert(club) }
        }
        count += (clubs[club]?.members.count ?? 0) - before
        if clubs[club]?.isEmpty ?? false { clubs[club] = nil }
    }
}
