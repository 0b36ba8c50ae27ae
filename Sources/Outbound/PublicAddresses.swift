import Bytes
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
        let number = UnsafeBufferPointer(start: bytes, count: count).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return contains(
            count == 4 ? IPAddress(ipv4: UInt32(truncatingIfNeeded: number)) : IPAddress(number: number))
    }

    func contains(_ address: IPAddress) -> Bool {
        if includesLoopback, Self.loopback.contains(where: { $0.contains(address) }) { return true }
        // An address that embeds an IPv4 address is as public as that address.
        for (range, distance) in Self.embedding where range.contains(address) {
            return contains(IPAddress(ipv4: UInt32(truncatingIfNeeded: address.number >> distance)))
        }
        // Only 2000::/3 of IPv6 is assigned to the public Internet.
        guard address.isIPv4 || Self.assigned.contains(address) else { return false }
        return !Self.reserved.contains { $0.contains(address) }
    }

    private static let loopback = ["127.0.0.0/8", "::1"].map(range)
    private static let assigned = range("2000::/3")

    /// The ranges of addresses with an embedded IPv4 address, and the number of bits after it: NAT64 (RFC 6052) and 6to4
    /// (RFC 3056).
    private static let embedding: [(AddressRange, bits: Int)] = [(range("64:ff9b::/96"), 0), (range("2002::/16"), 80)]

    /// The IPv4 blocks of RFC 6890 and its successors that are not globally reachable, and multicast; then Teredo, ORCHID,
    /// benchmarks and other protocols, and documentation.
    private static let reserved = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "3fff::/20",
    ].map(range)

    private static func range(_ text: String) -> AddressRange {
        do { return try AddressRange(text) } catch { preconditionFailure("\(text): \(error.reason)") }
    }
}
