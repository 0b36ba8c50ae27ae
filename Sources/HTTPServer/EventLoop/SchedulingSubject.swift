package import Bytes

/// The client on whose behalf a loop works. Subjects take turns, however many connections each has.
package enum SchedulingSubject: Hashable, Sendable {
    /// A client that the application identifies by 128 bits.
    case known(high: UInt64, low: UInt64)
    /// The anonymous clients of an address, or of its network.
    case party(IPAddress)
    /// The processes of this user, which use the Unix socket.
    case local

    /// Creates the subject of the anonymous clients of an address, or of its network.
    package init(_ address: IPAddress) { self = .party(address.party) }

    /// Creates the subject of the anonymous clients at the other end of a connection.
    package init(_ transport: ConnectionTransport) {
        switch transport {
        case .tcp(let address): self.init(address)
        case .unix: self = .local
        }
    }
}
