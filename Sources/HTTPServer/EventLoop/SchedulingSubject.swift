package import Bytes

/// The client on whose behalf a loop works. Subjects take turns, however many connections each has.
package struct SchedulingSubject: Hashable, Sendable {
    private enum Kind: UInt8 { case known, address, local }

    private let kind: Kind
    private let high: UInt64
    private let low: UInt64

    private init(_ kind: Kind, _ high: UInt64, _ low: UInt64) { (self.kind, self.high, self.low) = (kind, high, low) }

    /// Creates a subject that the application identifies by 128 bits.
    package init(high: UInt64, low: UInt64) { self.init(.known, high, low) }

    /// Creates the subject of the anonymous clients of an address, or of its network.
    package init(_ address: IPAddress) { self.init(.address, address.party.high, address.party.low) }

    /// Creates the subject of the anonymous clients at the other end of a connection.
    package init(_ transport: ConnectionTransport) {
        switch transport {
        case .tcp(let address): self.init(address)
        case .unix(let uid): self.init(.local, 0, UInt64(uid))
        }
    }
}
