import JSON
import Measures
import Model
import Store
import Synchronization

/// The readiness of the service for requests, with the reasons if it is not ready. Load balancers and operators use it.
/// The service may still respond to some requests.
package struct Readiness: Sendable {
    /// The bounds beyond which the service is not ready.
    package struct Bounds: Sendable {
        /// The minimum free space on the disk.
        package var diskBytesFreeMin = 64 << 20
        /// The maximum size of the write-ahead log that a read may hold back from a checkpoint.
        package var walBytesMax = 256 << 20
        /// The maximum time for which the writer or an event loop takes no turn.
        package var stalledMillisecondsMax = 5000
        /// The maximum age of the last good backup, in hours; 0 means no maximum.
        package var backupHoursMax = 0

        package init() {}
    }

    private(set) var reasons: [(name: StaticString, detail: String)] = []

    var isReady: Bool { reasons.isEmpty }

    init(of service: SharedServiceState) {
        let bounds = service.readinessBounds
        let counters = service.store.counters
        if service.isDraining.load(ordering: .relaxed) { add("draining", "The server is stopping.") }
        if service.store.isOutOfSpace { add("outOfSpace", "The disk is full: writes are refused.") }
        let free = counters[.diskBytesFree]
        if free < bounds.diskBytesFreeMin {
            add(
                "diskLow",
                "The disk has \(free >> 20) MiB left; at least \(bounds.diskBytesFreeMin >> 20) MiB are needed.")
        }
        checkLog(of: service.store, bytesMax: bounds.walBytesMax)
        let writer = counters.stalledMilliseconds
        if writer > bounds.stalledMillisecondsMax {
            add("writerStalled", "The writer has not responded for \(writer / 1000) s.")
        }
        checkBackups(service.store.backups.lastGood, hoursMax: bounds.backupHoursMax, since: service.began)
        let now = MonotonicClock.now()
        let loop = service.loopCounters.map { $0.stalledMilliseconds(at: now) }.max() ?? 0
        if loop > bounds.stalledMillisecondsMax {
            add("loopStalled", "An event loop has not responded for \(loop / 1000) s.")
        }
    }

    /// Adds a reason if a read holds too much of the write-ahead log. The store's own snapshots, such as a backup's,
    /// may hold eight times as much.
    private mutating func checkLog(of store: Store, bytesMax: Int) {
        let held = store.counters.walBytesHeld
        guard held > bytesMax, !store.holdsSnapshot || held / Self.ownShare > bytesMax else { return }
        add(
            "walHeld",
            "A read that does not end holds \(held >> 20) MiB of the write-ahead log; the maximum is \(bytesMax >> 20) MiB."
        )
    }

    /// The factor by which the write-ahead log may be longer while the store itself holds a snapshot, such as for a
    /// backup.
    private static let ownShare = 8

    private mutating func checkBackups(_ last: Instant?, hoursMax: Int, since began: Instant) {
        guard hoursMax > 0 else { return }
        // A server without a backup has the same time for its first.
        let age = (Instant.now.milliseconds - (last ?? began).milliseconds) / 3_600_000
        guard age >= Int64(hoursMax) else { return }
        add(
            "backupOld",
            last == nil ? "There is no successful backup." : "The last successful backup is \(age) hours old.")
    }

    private mutating func add(_ name: StaticString, _ detail: String) {
        reasons.append((name, detail))
    }

    func write(to json: inout JSONWriter) {
        json.member("status", ascii: isReady ? "ready" : "notReady")
        json.array("reasons", reasons) { reason, json in
            json.object {
                $0.member("reason", ascii: reason.name)
                $0.member("detail", reason.detail)
            }
        }
    }
}
