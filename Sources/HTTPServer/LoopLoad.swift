internal import Synchronization

/// How many connections a server has, on all loops.
final class ServerLoad: Sendable {
    private let connections = Atomic<Int>(0)

    init() {}

    func add(_ count: Int) { connections.wrappingAdd(count, ordering: .relaxed) }
    var count: Int { connections.load(ordering: .relaxed) }
}

/// How many connections a loop has, or is about to get: what the accepting loop chooses by.
final class LoopLoad: Sendable {
    private let connections = Atomic<Int>(0)
    /// Of all loops.
    let server: ServerLoad

    init(of server: ServerLoad) { self.server = server }

    func add(_ count: Int) {
        connections.wrappingAdd(count, ordering: .relaxed)
        server.add(count)
    }

    var count: Int { connections.load(ordering: .relaxed) }
}
