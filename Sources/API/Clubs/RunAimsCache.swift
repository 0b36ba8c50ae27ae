import Model
import Store

/// A cache of what the paces of a club's run have in common for all members, so that a commit reads it once for all
/// streams. Confined to one event loop. Any change in a club removes what is cached of its runs.
struct RunAimsCache {
    private var runs: [Int64: (club: Int64, head: Int64, aims: ClubRunAims)] = [:]
    /// The last received change. A snapshot may be newer, with changes that the cache has not received.
    private var received: Int64 = 0

    /// Returns the aims of a run in the current snapshot.
    mutating func aims(of run: ClubRun, _ reads: ReadConnection) throws(RequestError) -> ClubRunAims {
        let head = try reads.head()
        if let known = runs[run.key], head <= max(known.head, received) { return known.aims }
        let aims = try reads.aims(of: run)
        // The standings of a large club take about 160 KiB.
        if runs.count >= 8 { runs.removeAll() }
        runs[run.key] = (run.clubKey, head, aims)
        return aims
    }

    /// Removes what a commit may have changed.
    mutating func receive(_ commit: Commit) {
        received = commit.head
        if runs.isEmpty { return }
        runs = runs.filter { run in !commit.changes.contains { $0.scope.club == run.value.club } }
    }
}
