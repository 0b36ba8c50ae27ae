import HTTPServer
import Measures
import Synchronization

/// The counters and gauges of one event loop, for `/metrics`. Written by its loop, read by any thread.
final class EventLoopCounters: Sendable {
    /// A counter or gauge.
    final class Number: Sendable {
        private let value = Atomic<Int>(0)
        func add(_ amount: Int = 1) { value.wrappingAdd(amount, ordering: .relaxed) }
        func set(_ level: Int) { value.store(level, ordering: .relaxed) }
        var current: Int { value.load(ordering: .relaxed) }
    }

    /// The counts of the loop's requests by route and status.
    let ended = RequestCounts()
    /// The number of requests in batches.
    let batched = Number()
    let connections = Number()
    /// The time at which the loop last checked its clock, in monotonic milliseconds. It does so each second.
    let ticked = Number()
    let streams = Number()
    let parked = Number()
    let subscriptions = Number()
    let deliveredEvents = Number()
    let deliveredBytes = Number()
    let replays = Number()
    let folded = Number()
    /// The number of changes by which the subscriber furthest behind lags.
    let lag = Number()
    let resets = Number()
    let cachedBytes = Number()
    /// The durations of the loop's turns, or `nil` before the loop runs.
    private let ownTurnTimes = Mutex<TurnDurationHistogram?>(nil)
    var turnTimes: TurnDurationHistogram? {
        get { ownTurnTimes.withLock { $0 } }
        set { ownTurnTimes.withLock { $0 = newValue } }
    }

    /// Returns for how many milliseconds the loop has not checked its clock, beyond the one second that is normal.
    func stalledMilliseconds(at now: Int64) -> Int {
        ticked.current == 0 ? 0 : max(0, Int(now) - ticked.current - 1000)
    }
}
