/// A range of addresses with a common prefix, such as `10.0.0.0/8` or `fd00::/8`, or a single address.
package struct AddressRange: Hashable, Sendable {
    private let first: IPAddress
    private let mask: UInt128

    package init(_ text: String) throws(InvalidText) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else {
            throw InvalidText(reason: "\"\(parts[0])\" is not an address")
        }
        let width = address.isIPv4 ? 32 : 128
        var length = width
        if parts.count > 1 {
            guard let bits = Int(parts[1]), (0...width).contains(bits), "\(bits)" == parts[1] else {
                throw InvalidText(reason: "the part after the slash must be a number of bits, 0 to \(width)")
            }
            length = bits
        }
        mask = UInt128.max << UInt128(width - length)
        first = address
        // Otherwise it is unclear whether the address or the length was meant.
        guard contains(address) else { throw InvalidText(reason: "the address has more bits than \(length)") }
    }

    package func contains(_ address: IPAddress) -> Bool { address.number & mask == first.number }
}
