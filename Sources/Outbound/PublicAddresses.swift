import CCurl

/// The addresses of the public Internet (RFC 6890). Requests to URLs from users may connect to these only.
package struct PublicAddresses: Sendable {
    /// A Boolean value indicating whether loopback addresses count as public, for tests on one machine.
    let includesLoopback: Bool

    package init(includingLoopback: Bool = false) { includesLoopback = includingLoopback }

    /// Installs the check that libcurl calls with each address before it opens a socket.
    func install(on handle: UnsafeMutableRawPointer) -> CURLcode {
        includesLoopback
            ? lectern_curl_set_address_check(handle) { PublicAddresses(includingLoopback: true).contains($0, $1) }
            : lectern_curl_set_address_check(handle) { PublicAddresses().contains($0, $1) }
    }

    /// Returns whether connections to an address of 4 or 16 bytes are allowed.
    private func contains(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Bool {
        let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
        return count == 4 ? contains(ipv4: bytes.reduce(0) { $0 << 8 | UInt32($1) }) : contains(ipv6: bytes)
    }

    func contains(ipv4 address: UInt32) -> Bool {
        if includesLoopback, address >> 24 == 127 { return true }
        return !Self.reserved4.contains { address >> (32 - $0.length) == $0.prefix >> (32 - $0.length) }
    }

    func contains(ipv6 address: [UInt8]) -> Bool {
        if includesLoopback, address == Self.loopback6 { return true }
        // An address that embeds an IPv4 address is as public as that address.
        for (prefix, offset) in Self.embedding where address.starts(with: prefix) {
            let embedded = address[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return contains(ipv4: embedded)
        }
        // Only 2000::/3 is assigned to the public Internet. Teredo, documentation and benchmark ranges within it are
        // not.
        guard address[0] >> 5 == 1 else { return false }
        let start = address[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !Self.reserved6.contains { start >> (32 - $0.length) == $0.prefix >> (32 - $0.length) }
    }

    private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

    /// The prefixes of addresses with an embedded IPv4 address, and its offset: IPv4-mapped, NAT64 (RFC 6052) and 6to4
    /// (RFC 3056).
    private static let embedding: [(prefix: [UInt8], offset: Int)] = [
        ([UInt8](repeating: 0, count: 10) + [0xff, 0xff], 12),
        ([0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 12),
        ([0x20, 0x02], 2),
    ]

    /// 2001::/23 (Teredo, ORCHID, benchmarks and other protocols), 2001:db8::/32 and 3fff::/20 (documentation): the first 32 bits.
    private static let reserved6: [(prefix: UInt32, length: UInt32)] = [
        (0x2001_0000, 23), (0x2001_0db8, 32), (0x3fff_0000, 20),
    ]

    /// The IPv4 blocks of RFC 6890 and its successors that are not globally reachable, and multicast.
    private static let reserved4: [(prefix: UInt32, length: UInt32)] = [
        (0x0000_0000, 8), (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16),
        (0xac10_0000, 12), (0xc000_0000, 24), (0xc000_0200, 24), (0xc058_6300, 24), (0xc0a8_0000, 16),
        (0xc612_0000, 15), (0xc633_6400, 24), (0xcb00_7100, 24), (0xe000_0000, 4), (0xf000_0000, 4),
    ]
}
