import HTTPServer
import Measures
import Synchronization

/// What happened on one event loop, for `/metrics`. Written by its loop, read by any.
final class LoopCounters: Sendable {
    /// A number that only grows, or a level that is set.
    final class Number: Sendable {
        private let value = Atomic<Int>(0)
        func add(_ amount: Int = 1) { value.wrappingAdd(amount, ordering: .relaxed) }
        func set(_ level: Int) { value.store(level, ordering: .relaxed) }
        var current: Int { value.load(ordering: .relaxed) }
    }

    /// What became of its requests.
    let ended = RequestCounts()
    /// Requests that came as lines of a batch.
    let batched = Number()
    let connections = Number()
    /// When it last looked at its clock, in monotonic milliseconds; it does each second.
    let ticked = Number()
    let streams = Number()
    let parked = Number()
    let subscriptions = Number()
    let deliveredEvents = Number()
    let deliveredBytes = Number()
    let replays = Number()
    let folded = Number()
    /// Changes by which the subscriber that is furthest behind is.
    let lag = Number()
    let resets = Number()
    let cachedBytes = Number()
    /// How long its loop worked at a time; nil before the loop runs.
    private let ownTurnTimes = Mutex<TurnTimes?>(nil)
    var turnTimes: TurnTimes? {
        get { ownTurnTimes.withLock { $0 } }
        set { ownTurnTimes.withLock { $0 = newValue } }
    }

    /// For how long it has not looked at its clock, beyond the second that it may.
    func stalledMilliseconds(at now: Int64) -> Int {
        ticked.current == 0 ? 0 : max(0, Int(now) - ticked.current - 1000)
    }
}
