import HTTPServer
import JSON
import Model
import Store
import Synchronization

/// Whether the service should be sent requests now, and why not: for who decides where they go. It may still answer some of them.
package struct Readiness: Sendable {
    /// When it is not ready.
    package struct Bounds: Sendable {
        /// With less room on the disk.
        package var diskBytesFreeMin = 64 << 20
        /// When a read that does not end keeps more of the write-ahead log from being copied.
        package var walBytesMax = 256 << 20
        /// When the writer, or an event loop, has not taken a turn for longer.
        package var stalledMillisecondsMax = 5000
        /// When the last good backup is older; 0: however old it is.
        package var backupHoursMax = 0

        package init() {}
    }

    struct Reason: Sendable, Equatable {
        let name: StaticString
        let detail: String

        static func == (left: Reason, right: Reason) -> Bool { "\(left.name)" == "\(right.name)" }
    }

    private(set) var reasons: [Reason] = []

    var isReady: Bool { reasons.isEmpty }

    init(of service: ServiceState) {
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
        lookAtLog(of: service.store, bytesMax: bounds.walBytesMax)
        let writer = counters.stalledMilliseconds
        if writer > bounds.stalledMillisecondsMax {
            add("writerStalled", "The writer has not responded for \(writer / 1000) s.")
        }
        lookAtBackups(service.store.backups.lastGood, hoursMax: bounds.backupHoursMax, since: service.began)
        let now = MonotonicClock.now()
        let loop = service.loopCounters.map { $0.stalledMilliseconds(at: now) }.max() ?? 0
        if loop > bounds.stalledMillisecondsMax {
            add("loopStalled", "An event loop has not responded for \(loop / 1000) s.")
        }
    }

    /// True if no work of the store explains the length of the log, or if the log is longer than such work allows.
    private mutating func lookAtLog(of store: Store, bytesMax: Int) {
        let held = store.counters.walBytesHeld
        guard held > bytesMax, !store.holdsSnapshot || held / Self.ownShare > bytesMax else { return }
        add(
            "walHeld",
            "A read that does not end holds \(held >> 20) MiB of the write-ahead log; the maximum is \(bytesMax >> 20) MiB."
        )
    }

    /// How many times as long the log may become while the store itself holds a snapshot.
    private static let ownShare = 8

    private mutating func lookAtBackups(_ last: Instant?, hoursMax: Int, since began: Instant) {
        guard hoursMax > 0 else { return }
        // A house without any has as long for its first.
        let age = (Instant.now.milliseconds - (last ?? began).milliseconds) / 3_600_000
        guard age >= Int64(hoursMax) else { return }
        add(
            "backupOld",
            last == nil ? "There is no successful backup." : "The last successful backup is \(age) hours old.")
    }

    private mutating func add(_ name: StaticString, _ detail: String) {
        reasons.append(Reason(name: name, detail: detail))
    }

    func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("status")
        json.string(ascii: isReady ? "ready" : "notReady")
        json.name("reasons")
        json.beginArray()
        for reason in reasons {
            json.beginObject()
            json.name("reason")
            json.string(ascii: reason.name)
            json.name("detail")
            json.string(reason.detail)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
