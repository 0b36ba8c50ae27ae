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

    let requests = Number()
    let streams = Number()
    let parked = Number()
    let subscriptions = Number()
    let deliveredEvents = Number()
    let deliveredBytes = Number()
    let replays = Number()
    let resets = Number()
    let cachedBytes = Number()
}
