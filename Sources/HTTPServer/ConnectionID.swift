/// Names one exchange (a request and its answer, or a stream) on one connection. It is never valid for a later request
/// of the same connection, nor for a later connection in the same slot: whatever comes late does nothing.
package struct ConnectionID: Hashable, Sendable {
    /// The index of the event loop.
    package let loop: Int32
    let slot: UInt32
    let generation: UInt32

    /// Identifiers are made by the event loop; this one is for tests of handlers.
    package init(loop: Int32, slot: UInt32, generation: UInt32) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }
}

/// How a client came in.
package enum Transport: Sendable, Equatable {
    /// Over TCP.
    case tcp
    /// Over a Unix socket, by a process of this user (`SO_PEERCRED`, as it was at `connect`).
    case unix(uid: UInt32)
}
