#if canImport(Glibc)
    internal import Glibc
#endif

/// An IP address of 128 bits. An IPv4 address is in `::ffff:0:0/96`, so each machine has only one form.
package struct IPAddress: Hashable, Sendable {
    package let number: UInt128

    package init(number: UInt128) { self.number = number }

    package init(high: UInt64, low: UInt64) { self.init(number: UInt128(high) << 64 | UInt128(low)) }

    package init(ipv4 number: UInt32) { self.init(number: Self.mapped << 32 | UInt128(number)) }

    package static let unspecified = IPAddress(number: 0)
    package static let loopback = IPAddress(number: 1)

    private static let mapped: UInt128 = 0xFFFF

    package var isIPv4: Bool { number >> 32 == Self.mapped }

    /// The first address of the block that counts as one client: a whole IPv4 address, or the first 64 bits of an IPv6
    /// address.
    package var party: IPAddress { isIPv4 ? self : IPAddress(number: number & ~UInt128(UInt64.max)) }

    package init?(text: RawSpan) {
        guard text.byteCount < Self.textBytesMax else { return nil }
        self.init(text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }

    /// Parses `192.0.2.1`, `2001:db8::1` or `::ffff:192.0.2.1`, as `inet_pton` does: without a zone, a port, or
    /// brackets.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var four: UInt32 = 0
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(ipv4: UInt32(bigEndian: four))
            return
        }
        var six: UInt128 = 0
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        self.init(number: UInt128(bigEndian: six))
    }

    /// The size of the longest text, an IPv6 address that ends in an IPv4 address, with the NUL after it.
    private static let textBytesMax = Int(INET6_ADDRSTRLEN)
}

extension IPAddress: CustomStringConvertible {
    /// The text form of RFC 5952, in which the first longest run of zeros is omitted.
    package var description: String {
        if isIPv4 { return "\(number >> 24 & 255).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.textBytesMax) { text in
            var bytes = number.bigEndian
            // It fails only if the text has no space.
            inet_ntop(AF_INET6, &bytes, text.baseAddress, socklen_t(text.count))
            return String(cString: text.baseAddress!)
        }
    }
}
