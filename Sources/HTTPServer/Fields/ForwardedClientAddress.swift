package import Bytes

/// The client address of requests that proxies forward. Proxies append it to a field, in which clients can also write
/// anything. The field is therefore read from its end, up to the first address that is not a trusted proxy.
package struct ForwardedClientAddress: Sendable {
    private let name: [UInt8]
    /// A Boolean value indicating whether the field is `Forwarded` (RFC 7239). Others, such as `X-Forwarded-For`,
    /// contain addresses separated by commas.
    private let isForwarded: Bool
    private let proxies: [AddressRange]

    /// A configuration that trusts no proxy: each request comes from the peer of its connection.
    package static let none = ForwardedClientAddress(name: [], proxies: [])

    private init(name: [UInt8], proxies: [AddressRange]) {
        self.name = name
        isForwarded = name.elementsEqual("forwarded".utf8)
        self.proxies = proxies
    }

    /// Creates a configuration that trusts these proxies' field. Returns `nil` if the text is not a valid field name.
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
            var hops = CommaSeparatedFieldFromEnd(request.fieldValue(at: index).bytes, knowsQuotes: isForwarded)
            while let hop = hops.next() {
                let address =
                    isForwarded ? ForwardedAddress.address(ofForwarded: hop) : ForwardedAddress.address(of: hop)
                guard let address else { return nearest }
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
}
