package import Bytes

/// The client address of requests that proxies forward. Proxies append it to a field, in which clients can also write
/// anything. The field is therefore read from its end, up to the first address that is not a trusted proxy.
package struct ForwardedClientAddress: Sendable {
    private let name: [UInt8]
    private let proxies: [AddressRange]

    /// A configuration that trusts no proxy: each request comes from the peer of its connection.
    package static let none = ForwardedClientAddress(name: [], proxies: [])

    private init(name: [UInt8], proxies: [AddressRange]) { (self.name, self.proxies) = (name, proxies) }

    /// Creates a configuration that trusts these proxies' field, with addresses separated by commas. Returns `nil` if
    /// the text is not a valid field name.
    package init?(field: String, proxies: [AddressRange]) {
        let name = field.utf8.map(\.lowercased)
        guard !name.isEmpty, name.allSatisfy({ ASCII.isToken($0) }) else { return nil }
        self.init(name: name, proxies: proxies)
    }

    /// Returns the address that a request comes from: the rightmost hop that is no trusted proxy. If a hop cannot be
    /// parsed, returns the hop that forwarded it; if all hops are proxies, the farthest. Returns `nil` on a Unix
    /// socket.
    package func client(of request: borrowing Request) -> IPAddress? {
        guard var nearest = request.peer else { return nil }
        guard !name.isEmpty, isProxy(nearest) else { return nearest }
        for index in (0..<request.fieldCount).reversed() where isNamed(request.fieldName(at: index)) {
            let hops = request.fieldValue(at: index).bytes
            var end = hops.count
            // Malformed text before the address that the last proxy appended does not affect it.
            while end >= 0 {
                let start = (0..<end).last { hops[$0] == ASCII.comma }.map { $0 + 1 } ?? 0
                let hop = hops.extracting(start..<end).trimmed()
                end = start - 1
                if hop.isEmpty { continue }
                guard let address = Self.address(of: hop) else { return nearest }
                nearest = address
                if !isProxy(address) { return nearest }
            }
        }
        return nearest
    }

    private func isProxy(_ address: IPAddress) -> Bool { proxies.contains { $0.contains(address) } }

    private func isNamed(_ field: RawSpan) -> Bool {
        field.withUnsafeBytes { $0.lazy.map(\.lowercased).elementsEqual(name) }
    }

    /// Parses `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`.
    private static func address(of hop: Span<UInt8>) -> IPAddress? {
        if hop[0] == UInt8(ascii: "[") {
            guard let close = hop.indices.first(where: { hop[$0] == UInt8(ascii: "]") }) else { return nil }
            let inside = hop.extracting(1..<close)
            guard inside.indices.contains(where: { inside[$0] == ASCII.colon }) else { return nil }
            return isPort(hop.extracting((close + 1)...)) ? IPAddress(text: inside.bytes) : nil
        }
        let colons = hop.indices.filter { hop[$0] == ASCII.colon }
        guard colons.count == 1 else { return IPAddress(text: hop.bytes) }
        guard isPort(hop.extracting(colons[0]...)) else { return nil }
        return IPAddress(text: hop.extracting(..<colons[0]).bytes)
    }

    /// Returns whether a text is empty, or a colon and a port.
    private static func isPort(_ text: Span<UInt8>) -> Bool {
        text.isEmpty || text[0] == ASCII.colon && DigitParser.decimal(text.extracting(1...).bytes, max: 65535) != nil
    }
}
