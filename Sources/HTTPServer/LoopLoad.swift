internal import Synchronization

/// How many connections a loop has, or is about to get: what the accepting loop chooses by.
final class LoopLoad: Sendable {
    let connections = Atomic<Int>(0)

    init() {}

    func add(_ count: Int) { connections.wrappingAdd(count, ordering: .relaxed) }
    var count: Int { connections.load(ordering: .relaxed) }
}
