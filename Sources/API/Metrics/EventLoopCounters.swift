import HTTPServer
import Measures
import ObservableModels
import Synchronization

/// The counters and gauges of one event loop, for `/metrics`. Written by its loop, read by any thread.
final class EventLoopCounters: Sendable {
    /// The numbers that the loop publishes once a second.
    struct Gauges: Sendable {
        let connections: Int
        let streams: Int
        /// The number of changes by which the subscriber furthest behind lags.
        let lag: Int
        let models: ObservableModels.Counters
        /// The durations of the loop's turns.
        let turnTimes: Histograms
    }

    /// The counts of the loop's requests by route and status.
    let ended = RequestCounts()
    /// The number of requests in batches.
    let batched = AtomicNumber()
    /// The time at which the loop last checked its clock, in monotonic milliseconds. It does so each second.
    let ticked = AtomicNumber()
    private let latest = Mutex<Gauges?>(nil)
    /// The numbers that were published last, or `nil` before the loop runs.
    var gauges: Gauges? {
        get { latest.withLock { $0 } }
        set { latest.withLock { $0 = newValue } }
    }

    /// Returns for how many milliseconds the loop has not checked its clock, beyond the one second that is normal.
    func stalledMilliseconds(at now: Int64) -> Int {
        ticked.current == 0 ? 0 : max(0, Int(now) - ticked.current - 1000)
    }
}

/// A counter or gauge that any thread may change and read.
final class AtomicNumber: Sendable {
    private let value = Atomic<Int>(0)
    func add(_ amount: Int = 1) { value.wrappingAdd(amount, ordering: .relaxed) }
    func set(_ level: Int) { value.store(level, ordering: .relaxed) }
    var current: Int { value.load(ordering: .relaxed) }
}
